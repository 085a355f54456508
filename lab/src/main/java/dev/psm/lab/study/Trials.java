package dev.psm.lab.study;

import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.env.World;
import dev.psm.core.io.OutputFolder;
import dev.psm.lab.run.RunFolder;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What studies see to before their trials begin. */
public final class Trials {
  /** Every number of so many digits is a long. */
  private static final Pattern SEED = Pattern.compile("-(-?\\d{1,18})");

  private static final Pattern RUN = Pattern.compile("run(" + SEED + ")+");

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

  /**
   * The seeds of every run in a folder that has none but these; where two runs share a seed, of the
   * one that has ended.
   */
  static List<List<Long>> there(Path folder, List<Long> seeds) {
    List<Path> runs =
        OutputFolder.visible(folder).stream()
            .filter(run -> AgentFolder.isRun(run) && seeds.containsAll(seeds(run)))
            .sorted(Comparator.comparing(run -> new RunFolder(run).finishedAt().isEmpty()))
            .toList();
    List<List<Long>> there = new ArrayList<>();
    List<Long> open = new ArrayList<>(seeds);
    for (Path run : runs) {
      List<Long> own = seeds(run);
      if (!own.isEmpty() && open.containsAll(own)) {
        there.add(own);
        open.removeAll(own);
      }
    }
    return there;
  }

  /** What {@link #folder} made a name of; none of any other name. */
  private static List<Long> seeds(Path run) {
    String name = run.getFileName().toString();
    return RUN.matcher(name).matches()
        ? SEED.matcher(name).results().map(seed -> Long.valueOf(seed.group(1))).toList()
        : List.of();
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
