package dev.psm.app;

import dev.psm.core.UserError;
import dev.psm.core.env.Worlds;
import dev.psm.lab.compute.Cluster;
import dev.psm.lab.compute.GatheringWorkers;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.SlurmRequest;
import dev.psm.lab.compute.SlurmWorkers;
import dev.psm.lab.compute.Workers;
import dev.psm.torch.Device;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Who computes. */
final class WorkersOption {
  private static final String LOCAL = "local";
  private static final String SLURM = "slurm";

  @Option(
      names = "--on",
      paramLabel = "WHERE",
      defaultValue = LOCAL,
      description =
          "Who computes: local, this machine; a Spark master such as spark://HOST:7077; or slurm, which writes the"
              + " scripts of an array of jobs (default: ${DEFAULT-VALUE}). Spark is fetched when it is first asked for.")
  private String on;

  @Option(
      names = "--at-once",
      paramLabel = "N",
      description =
          "On this machine, at most N at once (default: as many as its cores and its memory bear); with --on slurm at"
              + " most N jobs (default: as Slurm has it).")
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

  @Option(
      names = "--slurm",
      paramLabel = "KEY=VALUE",
      description =
          "With --on slurm: an option of sbatch for every job, such as time=4:00:00, partition=gpu, account=NAME or"
              + " mem=8G; may be given several times.")
  private Map<String, String> slurm = new LinkedHashMap<>();

  @Option(
      names = "--submit",
      description = "With --on slurm: submit the scripts right away, not only write them.")
  private boolean submit;

  @Option(
      names = "--gather",
      description = "Compute nothing: take what is finished, and what Slurm's jobs have left.")
  private boolean gather;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Whether what is computed is computed by another process than this one. */
  boolean isElsewhere() {
    return gather || !on.equals(LOCAL);
  }

  /** Whether work is only handed over, and others come to its end later. */
  boolean isQueued() {
    return on.equals(SLURM) && !gather;
  }

  /**
   * Of a command whose work is runs: 1 unless all came to their end well, now or before. Work that
   * was only handed over is no failure of who did so.
   */
  int exitCode(long finished, long failed, long runs) {
    return failed > 0 || (finished < runs && !isQueued()) ? 1 : 0;
  }

  /**
   * What networks are computed on. A GPU of Slurm's jobs need not be here; Spark's machines are
   * sent this one's libraries, which are a GPU's only where there is one.
   */
  Device device(DeviceOption devices, Output output) {
    boolean here = !isElsewhere() || (isCluster() && devices.asksForCuda());
    return here ? devices.open(output) : devices.elsewhere(output);
  }

  private boolean isCluster() {
    return !gather && !on.equals(LOCAL) && !on.equals(SLURM);
  }

  /**
   * For a command whose work goes to no folder of its own, so that a queue could not leave there
   * what it finds.
   *
   * @param gpu whether what is computed needs one
   */
  Workers open(boolean gpu) {
    if (on.equals(SLURM) || gather) {
      throw UserError.invalid("--on slurm and --gather are not for this command");
    }
    return open(gpu, null);
  }

  /**
   * @param gpu whether what is computed needs one
   * @param out where the command writes
   */
  Workers open(boolean gpu, Path out) {
    require(on.equals(SLURM), "slurm", Map.of("--slurm", !slurm.isEmpty(), "--submit", submit));
    boolean cluster = !on.equals(LOCAL) && !on.equals(SLURM);
    require(
        cluster,
        "a cluster",
        Map.of("--spark-conf", !settings.isEmpty(), "--tasks-per-gpu", tasksPerGpu != null));
    if (atOnce != null && cluster) {
      throw UserError.invalid(
          "--at-once is for this machine and for Slurm; how much %s does at once is its own affair",
          on);
    }
    if (atOnce != null) {
      Range.check("--at-once", atOnce, 1, Integer.MAX_VALUE);
    }
    if (gather) {
      return new GatheringWorkers(out);
    }
    if (on.equals(LOCAL)) {
      return atOnce != null ? new LocalWorkers(atOnce) : new LocalWorkers();
    }
    return on.equals(SLURM) ? new SlurmWorkers(request(gpu, out)) : connect(gpu);
  }

  private void require(boolean holds, String where, Map<String, Boolean> given) {
    given.forEach(
        (option, isGiven) -> {
          if (isGiven && !holds) {
            throw UserError.invalid("%s is for --on %s, and --on is %s", option, where, on);
          }
        });
  }

  private SlurmRequest request(boolean gpu, Path out) {
    String launcher = System.getProperty("psm.launcher", "");
    if (launcher.isEmpty()) {
      throw UserError.failed(
          null,
          "--on slurm: jobs call the launcher psm, so this command must be called by it, too");
    }
    return new SlurmRequest(
        out,
        Path.of(launcher),
        gathering(),
        Path.of("").toAbsolutePath(),
        Worlds.plugins(),
        gpu,
        atOnce == null ? 0 : atOnce,
        slurm,
        submit);
  }

  /** This command, to be called once more when all jobs have ended. */
  private List<String> gathering() {
    List<String> words =
        new ArrayList<>(command.root().commandLine().getParseResult().originalArgs());
    words.removeIf(word -> word.equals("--submit"));
    int end = words.indexOf("--");
    words.add(end < 0 ? words.size() : end, "--gather");
    return words;
  }

  private Workers connect(boolean gpu) {
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
                    "--on: expected local, slurm or a Spark master such as spark://HOST:7077, found"
                        + " '%s'",
                    on))
        .connect(request);
  }
}
