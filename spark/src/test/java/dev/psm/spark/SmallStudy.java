package dev.psm.spark;

import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.study.ReproduceGrids;
import dev.psm.torch.Device;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Some runs of some seconds, as a program: {@code local|MASTER FOLDER}. */
final class SmallStudy {
  static final int RUNS = 4;

  private SmallStudy() {}

  public static void main(String[] arguments) {
    ReproduceGrids.Plan plan =
        new ReproduceGrids.Plan(
            List.of(new GridWorld(GridMap.parse("tiny", "....\n.#..\n....\n"))),
            List.of("psm", "fb"),
            List.of(0L, 1L),
            "tabular",
            List.of(
                "psm.basisDimension=4",
                "psm.gradientSteps=1000",
                "psm.enrichedCodes=2",
                "psm.coordinateWidth=8",
                "psm.solveCodes=8",
                "fb.gradientSteps=1000",
                "fb.featureDimension=4",
                "fb.forwardWidth=16",
                "fb.featureWidth=16",
                "fb.batchSize=16"),
            Path.of(arguments[1]));
    WorkContext context = new WorkContext(Progress.SILENT, note -> {}, () -> false);
    try (Workers workers =
        arguments[0].equals("local")
            ? new LocalWorkers()
            : ClusterRun.connect(arguments[0], 0, Map.of())) {
      if (ReproduceGrids.run(plan, Device.CPU, workers, context).isEmpty()) {
        throw new IllegalStateException("stopped");
      }
    }
  }

  /** The table, whose columns of seconds are never the same. */
  static String withoutTimes(List<String> table) {
    List<String> head = List.of(table.get(0).split(",", -1));
    return table.stream()
        .map(
            row -> {
              String[] cells = row.split(",", -1);
              return java.util.stream.IntStream.range(0, cells.length)
                  .filter(column -> !head.get(column).contains("seconds"))
                  .mapToObj(column -> cells[column])
                  .collect(Collectors.joining(","));
            })
        .collect(Collectors.joining("\n"));
  }
}
