package dev.psm.lab.study;

import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.env.World;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** What studies see to before their trials begin. */
public final class Trials {
  private Trials() {}

  /** The cores of this machine shared out among so many runs: one each where there are enough. */
  static int evenThreads(int runs) {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / Math.max(1, runs));
  }

  /** One run counted twice would make a spread look smaller than it is. */
  public static void requireDistinct(String what, List<?> values) {
    if (values.isEmpty()) {
      throw UserError.invalid("nothing to run: give at least one %s", what);
    }
    if (values.stream().distinct().count() < values.size()) {
      throw UserError.invalid("the same %s is given twice: %s", what, values);
    }
  }

  /** The name of the folder of a run: its seeds, of which several train side by side. */
  public static String folder(List<Long> seeds) {
    return "run-" + seeds.stream().map(String::valueOf).collect(Collectors.joining("-"));
  }

  /** Refuses data of another world. */
  static void requireDataOf(World world, Dataset dataset, Path folder, String expected) {
    DatasetDescription description = dataset.description();
    if (!description.world().equals(world)) {
      throw UserError.argument(
          "data",
          "%s is of %s, expected %s; give %s",
          folder,
          description.environment(),
          world.name(),
          expected);
    }
  }
}
