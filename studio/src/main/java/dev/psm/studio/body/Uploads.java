package dev.psm.studio.body;

import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.lab.run.PromptFile;
import dev.psm.studio.web.RequestError;
import dev.psm.zeroshot.Prompt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Demonstrations that were uploaded; the oldest are forgotten. */
final class Uploads {
  private static final int KEPT = 16;
  private static final int MAX_NAME = 100;

  private final Map<String, Prompt.Demonstration> kept = new LinkedHashMap<>();

  /** Reads a file as {@code solve --demo} does, and returns the name to ask for it by. */
  String add(String name, byte[] content, World world) {
    Path folder = temporaryFolder();
    // The ending tells the format; the rest is only for messages.
    String plain = name.replaceAll("[^A-Za-z0-9._-]", "-");
    Path file = folder.resolve("demo-" + plain.substring(Math.max(0, plain.length() - MAX_NAME)));
    try {
      Files.write(file, content);
      Prompt.Demonstration read = PromptFile.demonstration(file, world, 1);
      String id = UUID.randomUUID().toString();
      Prompt.Demonstration named =
          new Prompt.Demonstration(read.observations(), 1, name, Optional.empty());
      synchronized (kept) {
        kept.put(id, named);
        if (kept.size() > KEPT) {
          kept.remove(kept.keySet().iterator().next());
        }
      }
      return id;
    } catch (UserError wrong) {
      throw RequestError.invalid("%s", wrong.getMessage().replace(file.toString(), name));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep the uploaded file", e);
    } finally {
      delete(file);
      delete(folder);
    }
  }

  int states(String id, World world) {
    return get(id, 1).observations().length / world.observationSize();
  }

  Prompt.Demonstration get(String id, int window) {
    Prompt.Demonstration found;
    synchronized (kept) {
      found = kept.get(id);
    }
    if (found == null) {
      throw UserError.invalid(
          "the uploaded demonstration is no longer here; choose the file again");
    }
    return new Prompt.Demonstration(found.observations(), window, found.source(), found.physics());
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("psm-demo");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a temporary folder", e);
    }
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + path, e);
    }
  }
}
