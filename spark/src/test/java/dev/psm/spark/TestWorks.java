package dev.psm.spark;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.lab.compute.Work;
import dev.psm.lab.compute.WorkContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Kinds of work that are done in a moment. */
public final class TestWorks {
  private TestWorks() {}

  /** Doubles a number; a negative one is refused, 13 is a fault of its own, told in two lines. */
  public static final class Doubling implements Work {
    @Override
    public Optional<ObjectNode> perform(ObjectNode task, WorkContext context) {
      int number = task.path("number").asInt();
      if (number < 0) {
        throw UserError.invalid("%d is negative", number);
      }
      if (number == 13) {
        throw new IllegalStateException("no luck\nwith 13");
      }
      context.notes().accept("doubling " + number);
      return Optional.of(Json.object().put("doubled", 2 * number));
    }
  }

  /** Ends its process where it is told to. */
  public static final class Deadly implements Work {
    @Override
    public Optional<ObjectNode> perform(ObjectNode task, WorkContext context) {
      if (task.path("deadly").asBoolean()) {
        Runtime.getRuntime().halt(9);
      }
      return Optional.of(Json.object());
    }
  }

  /** Goes on until it is stopped, and then says so in a file. */
  public static final class Endless implements Work {
    @Override
    public Optional<ObjectNode> perform(ObjectNode task, WorkContext context) {
      Path folder = Path.of(task.path("folder").asText());
      try {
        Files.createFile(folder.resolve("begun"));
        while (!context.stop().getAsBoolean()) {
          Thread.sleep(50);
        }
        Files.createFile(folder.resolve("saved"));
      } catch (java.io.IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return Optional.empty();
    }
  }

  /**
   * Has a GPU until as many tasks have it at once as are expected, or nobody more comes; tells the
   * most that it saw.
   */
  public static final class Occupying implements Work {
    private static final int POLL_MILLIS = 50;

    @Override
    public Optional<ObjectNode> perform(ObjectNode task, WorkContext context) {
      String gpu = System.getenv("CUDA_VISIBLE_DEVICES");
      try {
        Path present = Files.createDirectories(Path.of(task.path("folder").asText(), gpu));
        Path mine = Files.createTempFile(present, "task", "");
        int most = 0;
        int patience = task.path("expected").asInt() == 1 ? 20 : 1200;
        for (int i = 0; i < patience && most < task.path("expected").asInt() + 1; i++) {
          try (Stream<Path> files = Files.list(present)) {
            most = Math.max(most, (int) files.count());
          }
          if (most == task.path("expected").asInt() && patience > i + 20) {
            patience = i + 20;
          }
          Thread.sleep(POLL_MILLIS);
        }
        Files.delete(mine);
        return Optional.of(Json.object().put("gpu", gpu).put("most", most));
      } catch (java.io.IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Writes into a folder that all machines must share. */
  public static final class Writing implements Work {
    @Override
    public Optional<ObjectNode> perform(ObjectNode task, WorkContext context) {
      return Optional.of(Json.object());
    }

    @Override
    public List<Path> sharedFolders(ObjectNode task) {
      return List.of(Path.of(task.path("folder").asText()));
    }
  }

  /** Needs more than any machine has. */
  public static final class Huge implements Work {
    @Override
    public Optional<ObjectNode> perform(ObjectNode task, WorkContext context) {
      return Optional.of(Json.object());
    }

    @Override
    public long memoryBytes(ObjectNode task) {
      return 1L << 40;
    }
  }
}
