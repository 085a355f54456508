package dev.psm.lab.importing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Nearest;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.data.Episode;
import dev.psm.core.env.ActionScaling;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import dev.psm.lab.ActionRange;
import dev.psm.lab.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Turns other people's files into a dataset of ours. The folder appears only when every episode has
 * been read and found sound.
 */
public final class DatasetImport {
  private static final List<String> FORMATS = List.of("exorl", "ogbench", "d4rl", "minari");

  private DatasetImport() {}

  /**
   * What was imported.
   *
   * @param world where it comes from: a {@link StoredWorld} where nothing but the data knows it
   */
  public record Result(
      String format, World world, Columns columns, long episodes, long transitions) {}

  /**
   * Imports.
   *
   * @param format null to tell it by the look of the files
   * @param environment one that is known here, whose sizes the data must have then, or any other
   *     name
   * @param names of the numbers of an observation, where the environment is not known; may be empty
   */
  public static Result run(
      Path source,
      String format,
      String environment,
      List<String> names,
      Path out,
      Progress progress) {
    Optional<World> known = Worlds.lookup(environment);
    if (known.isPresent() && !names.isEmpty()) {
      throw UserError.argument(
              "names", "what is measured in %s has its names; leave them out", known.get().name())
          .with(Remedy.LIST_REWARDS, environment);
    }
    OutputFolder.requireEmpty(out, "an import", "a dataset", Dataset::isIn);
    Path growing =
        out.resolveSibling(
            ".%s.%x.importing"
                .formatted(out.getFileName(), ThreadLocalRandom.current().nextLong()));
    try (EpisodeSource episodes = open(source, format)) {
      known.ifPresent(world -> checkSizes(world, episodes.columns(), source));
      World world =
          known.orElseGet(
              () -> told(source, () -> DataSurvey.of(environment, episodes, names, progress)));
      ObjectNode settings = Json.object();
      settings.put("source", source.toString());
      DatasetDescription description =
          new DatasetDescription(
              world,
              DatasetDescription.UNKNOWN_ENGINE,
              episodes.format(),
              settings,
              0,
              episodes.columns());
      Result result;
      try (DatasetWriter writer = DatasetWriter.create(growing, description)) {
        told(
            source,
            () -> {
              read(episodes, world, writer, growing, progress);
              return null;
            });
        writer.flush();
        result =
            new Result(
                episodes.format(),
                world,
                episodes.columns(),
                writer.episodes(),
                writer.transitions());
      }
      if (result.episodes == 0) {
        throw UserError.invalid("%s holds no transition", source);
      }
      Files.move(growing, out, StandardCopyOption.ATOMIC_MOVE);
      return result;
    } catch (IOException e) {
      throw UserError.failed(e, "cannot write %s: %s", out, e.getMessage());
    } finally {
      delete(growing);
    }
  }

  private static void read(
      EpisodeSource episodes, World world, DatasetWriter writer, Path growing, Progress progress) {
    ActionRange range = new ActionRange(world);
    Optional<ActionScaling> units = ActionScaling.of(world);
    episodes.read(
        read -> {
          Episode episode = units.map(scaling -> scaled(read, scaling, world)).orElse(read);
          range
              .problem(episode.actions())
              .ifPresent(
                  problem -> {
                    throw UserError.invalid("episode %d: %s", writer.episodes(), problem);
                  });
          try {
            writer.append(episode);
          } catch (UserError e) {
            throw e.kind() == UserError.Kind.INVALID
                ? UserError.invalid("%s", e.getMessage().replace(growing + ", ", ""))
                : e;
          }
        },
        progress);
  }

  /** The same with actions in [−1, 1], but for the first row, which no action led to. */
  private static Episode scaled(Episode episode, ActionScaling units, World world) {
    float[] actions = units.fromUnits(episode.actions());
    System.arraycopy(episode.actions(), 0, actions, 0, world.actionSize());
    return new Episode(
        episode.observations(), actions, episode.discounts(), episode.physics(), episode.extras());
  }

  /** What is wrong with the data is said of the source, not of the folder that will vanish. */
  private static <T> T told(Path source, Supplier<T> work) {
    try {
      return work.get();
    } catch (UserError e) {
      String message = e.getMessage();
      throw e.kind() != UserError.Kind.INVALID
              || message.startsWith(source.toString())
              || e.argument().isPresent()
          ? e
          : UserError.invalid("%s, %s", source, message);
    }
  }

  private static EpisodeSource open(Path source, String format) {
    if (!Files.exists(source)) {
      throw UserError.invalid("%s: no such file or folder", source);
    }
    String kind = format == null ? guess(source) : format;
    return switch (kind) {
      case "exorl" -> new ExoRlFolder(source);
      case "ogbench" -> new OgBenchFile(source);
      case "d4rl" -> hdf5(source, D4rlFile::new);
      case "minari" -> hdf5(MinariFile.locate(source), MinariFile::new);
      default ->
          throw UserError.argument(
              "format",
              "expected one of %s, found '%s'; %s",
              String.join(", ", FORMATS),
              kind,
              Nearest.hint(kind, FORMATS));
    };
  }

  private interface Reader {
    EpisodeSource of(Hdf5 file);
  }

  private static EpisodeSource hdf5(Path path, Reader reader) {
    Hdf5 file = new Hdf5(path);
    boolean sound = false;
    try {
      EpisodeSource source = reader.of(file);
      sound = true;
      return source;
    } finally {
      if (!sound) {
        file.close();
      }
    }
  }

  private static String guess(Path source) {
    String name = source.toString().toLowerCase(Locale.ROOT);
    if (!MinariFile.locate(source).equals(source)) {
      return "minari";
    }
    if (Files.isDirectory(source)) {
      return "exorl";
    }
    if (name.endsWith(".npz")) {
      return "ogbench";
    }
    if (name.endsWith(".hdf5") || name.endsWith(".h5")) {
      try (Hdf5 file = new Hdf5(source)) {
        return file.has(MinariFile.FIRST) ? "minari" : "d4rl";
      }
    }
    throw UserError.argument(
        "format",
        "%s is neither a folder of npz files (ExoRL), an npz file (OGBench) nor an hdf5 file (D4RL,"
            + " Minari); say what it is",
        source);
  }

  private static void checkSizes(World world, Columns columns, Path source) {
    require(source, world, "observation", world.observationSize(), columns.observation());
    require(source, world, "action", world.actionSize(), columns.action());
    if (columns.physics() > 0) {
      require(source, world, "physics", world.stateSize(), columns.physics());
    }
  }

  private static void require(Path source, World world, String what, int expected, int found) {
    if (expected != found) {
      throw UserError.invalid(
          "%s: %s has %d numbers per %s, found %d; is it data of another environment?",
          source, world.name(), expected, what, found);
    }
  }

  private static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw UserError.failed(e, "cannot remove %s: %s", folder, e.getMessage());
    }
  }
}
