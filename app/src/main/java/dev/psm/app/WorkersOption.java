package dev.psm.app;

import dev.psm.core.UserError;
import dev.psm.core.env.Worlds;
import dev.psm.lab.compute.Cluster;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.Workers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import picocli.CommandLine.Option;

/** Who computes. */
final class WorkersOption {
  private static final String LOCAL = "local";

  @Option(
      names = "--on",
      paramLabel = "WHERE",
      defaultValue = LOCAL,
      description =
          "Who computes: local, this machine, or a Spark master such as spark://HOST:7077 (default:"
              + " ${DEFAULT-VALUE}). Spark is fetched when it is first asked for.")
  private String on;

  @Option(
      names = "--at-once",
      paramLabel = "N",
      description =
          "On this machine, at most N at once (default: as many as its cores and its memory bear).")
  private Integer atOnce;

  @Option(
      names = "--tasks-per-gpu",
      paramLabel = "N",
      description = "On a cluster with --device cuda, how many share one GPU (default: 1).")
  private Integer tasksPerGpu;

  @Option(
      names = "--spark-conf",
      paramLabel = "KEY=VALUE",
      description = "A setting of Spark's own; may be given several times.")
  private Map<String, String> settings = new LinkedHashMap<>();

  /** Whether they are anywhere else than on this machine. */
  boolean isElsewhere() {
    return !on.equals(LOCAL);
  }

  /**
   * @param gpu whether what is computed needs one
   */
  Workers open(boolean gpu) {
    if (!isElsewhere()) {
      if (!settings.isEmpty() || tasksPerGpu != null) {
        throw UserError.invalid(
            "--spark-conf and --tasks-per-gpu are for a cluster, and --on is %s", on);
      }
      if (atOnce != null) {
        Range.check("--at-once", atOnce, 1, Integer.MAX_VALUE);
        return new LocalWorkers(atOnce);
      }
      return new LocalWorkers();
    }
    if (atOnce != null) {
      throw UserError.invalid(
          "--at-once is for this machine; how much %s does at once is its own affair", on);
    }
    if (tasksPerGpu != null) {
      Range.check("--tasks-per-gpu", tasksPerGpu, 1, 1000);
    }
    Cluster.Request request =
        new Cluster.Request(
            on,
            gpu ? tasksPerGpu == null ? 1 : tasksPerGpu : 0,
            Map.copyOf(settings),
            Worlds.plugins());
    return ServiceLoader.load(Cluster.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(cluster -> cluster.takes(on))
        .findFirst()
        .orElseThrow(
            () ->
                UserError.invalid(
                    "--on: expected local or a Spark master such as spark://HOST:7077, found '%s'",
                    on))
        .connect(request);
  }
}
