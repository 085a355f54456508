package dev.psm.lab.compute;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The scripts of a submission as text: an array in which every task is a job of its own, a job that
 * gathers what they found once all have ended, and the commands that submit both.
 */
final class SlurmScripts {
  private static final long MEBIBYTE = 1 << 20;
  private static final long LEAST_HEAP = 1024 * MEBIBYTE;

  /** Code, threads, and what libraries keep for themselves. */
  private static final long BESIDE_THE_HEAP = 512 * MEBIBYTE;

  /** Before it ends a job it is asked to, in time for a checkpoint. */
  private static final int SECONDS_TO_SAVE = 120;

  private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9-]*");
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./\\[\\]&|*()-]*");

  /** What the scripts themselves depend on. */
  private static final List<String> OWN =
      List.of("array", "dependency", "output", "error", "chdir", "parsable", "wrap", "signal");

  /** sbatch takes one of these and mem, and no two of them. */
  private static final List<String> OTHER_MEMORY = List.of("mem-per-cpu", "mem-per-gpu");

  private final SlurmRequest request;
  private final Path folder;
  private final int arrays;
  private final int size;
  private final int tasks;
  private final Map<String, String> resources = new LinkedHashMap<>();
  private final long heap;

  /**
   * @param folder of the submission
   * @param list what is performed
   * @param largest how many jobs an array may have
   */
  SlurmScripts(SlurmRequest request, Path folder, WorkList list, int largest) {
    this.request = request;
    this.folder = folder;
    tasks = list.tasks().size();
    size = Math.min(largest, tasks);
    arrays = (tasks + size - 1) / size;
    Work work = list.work();
    long memory = list.tasks().stream().mapToLong(work::memoryBytes).max().orElse(0);
    int threads = list.tasks().stream().mapToInt(task -> work.threads(task)).max().orElse(1);
    // A quarter at least: JavaCPP lets a process hold four times its heap.
    heap = Math.max(LEAST_HEAP, memory / 4);
    resources.put("job-name", "psm");
    resources.put("cpus-per-task", Integer.toString(request.gpu() ? 1 : threads));
    resources.put("mem", (memory + heap + BESIDE_THE_HEAP) / MEBIBYTE + "M");
    if (request.gpu()) {
      resources.put("gres", "gpu:1");
    }
    resources.put("requeue", "");
    if (OTHER_MEMORY.stream().anyMatch(request.resources()::containsKey)) {
      resources.remove("mem");
    }
    resources.putAll(request.resources());
  }

  /** Refuses what is no option of sbatch's, or one that the scripts set themselves. */
  static void check(Map<String, String> resources) {
    resources.forEach(
        (key, value) -> {
          if (!KEY.matcher(key).matches() || value.chars().anyMatch(Character::isISOControl)) {
            throw UserError.argument(
                "slurm",
                "expected an option of sbatch without its dashes and its value, such as"
                    + " time=4:00:00, found '%s=%s'",
                Wording.oneLine(key),
                Wording.oneLine(value));
          }
          if (OWN.contains(key)) {
            throw UserError.argument("slurm", "%s is set by psm itself; leave it out", key);
          }
        });
  }

  /** By file name. */
  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (int i = 0; i < arrays; i++) {
      texts.put(arrayName(i), array(i));
    }
    texts.put("gather.sh", gather());
    texts.put("submit.sh", submit());
    return texts;
  }

  private String arrayName(int array) {
    return arrays == 1 ? "array.sh" : "array-%d.sh".formatted(array + 1);
  }

  private String array(int array) {
    int offset = array * size;
    int last = Math.min(size, tasks - offset) - 1;
    String most = request.atOnce() > 0 ? "%" + request.atOnce() : "";
    List<String> lines = new ArrayList<>();
    lines.add("#!/bin/bash");
    lines.add(
        "# A task of %s in every job.".formatted(Wording.oneLine(folder.resolve("tasks.json"))));
    lines.add("#SBATCH --array=0-%d%s".formatted(last, most));
    resources.forEach((key, value) -> lines.add(directive(key, value)));
    lines.add("#SBATCH --signal=B:TERM@%d".formatted(SECONDS_TO_SAVE));
    lines.add("#SBATCH --open-mode=append");
    lines.add("export PSM_DEVICE=%s".formatted(request.gpu() ? "cuda" : "cpu"));
    lines.add(
        "export PSM_JAVA_OPTIONS=\"-Xmx%dm ${PSM_JAVA_OPTIONS:-}\"".formatted(heap / MEBIBYTE));
    lines.add("cd %s || exit 1".formatted(Wording.shell(request.workingFolder())));
    // Java takes the shell's place, so that it is told when the time is nearly over.
    lines.add(
        "exec %s task %s $((SLURM_ARRAY_TASK_ID + %d))%s"
            .formatted(
                Wording.shell(request.launcher()), Wording.shell(folder), offset, plugins()));
    return String.join("\n", lines) + "\n";
  }

  private static String directive(String key, String value) {
    return value.isEmpty()
        ? "#SBATCH --" + key
        : "#SBATCH --%s=%s"
            .formatted(
                key,
                PLAIN.matcher(value).matches() ? value : '"' + value.replace("\"", "\\\"") + '"');
  }

  private String plugins() {
    return request.plugins().isEmpty()
        ? ""
        : " --plugins "
            + Wording.shell(
                request.plugins().stream().map(Path::toString).collect(Collectors.joining(",")));
  }

  /** Of the user's options only those that say where jobs may run. */
  private String gather() {
    List<String> lines = new ArrayList<>();
    lines.add("#!/bin/bash");
    lines.add("# Writes the tables of what the array has found out; it computes nothing.");
    lines.add("#SBATCH --job-name=psm-gather");
    lines.add("#SBATCH --cpus-per-task=1");
    lines.add("#SBATCH --mem=%dM".formatted((2 * LEAST_HEAP + BESIDE_THE_HEAP) / MEBIBYTE));
    for (String key : List.of("partition", "account", "qos", "time")) {
      if (request.resources().containsKey(key)) {
        lines.add(directive(key, request.resources().get(key)));
      }
    }
    lines.add("export PSM_DEVICE=cpu");
    lines.add("cd %s || exit 1".formatted(Wording.shell(request.workingFolder())));
    lines.add(
        "exec %s %s"
            .formatted(
                Wording.shell(request.launcher()),
                request.gathering().stream().map(Wording::shell).collect(Collectors.joining(" "))));
    return String.join("\n", lines) + "\n";
  }

  private String submit() {
    StringBuilder text =
        new StringBuilder(
            """
            #!/bin/bash
            # Submits the tasks, and the job that gathers what they found once all have ended.
            set -eu
            cd %s
            mkdir -p logs
            jobs=
            # All or none: a job that nobody knows of would keep its place in the queue.
            cancel() {
              [ -n "$jobs" ] || return 0
              echo "not all jobs were taken; cancelling${jobs//:/ }"
              scancel ${jobs//:/ } || echo "scancel failed: these jobs are left"
            }
            trap cancel EXIT
            """
                .formatted(Wording.shell(folder)));
    for (int i = 0; i < arrays; i++) {
      text.append(
          """
          job=$(sbatch --parsable --output="$PWD/logs/%%A_%%a.txt"%s %s)
          jobs="$jobs:${job%%%%;*}"
          echo "${job%%%%;*}" >>%s
          """
              .formatted(behindTheOthers(i), arrayName(i), Submissions.JOBS));
    }
    return text.append(
            """
            gather=$(sbatch --parsable --output="$PWD/logs/gather-%j.txt" --dependency="afterany$jobs" gather.sh)
            trap - EXIT
            echo "jobs ${jobs#:}, gathered by ${gather%%;*}"
            """)
        .toString();
  }

  /** Slurm counts what runs at once in each array by itself, so only one of them may run. */
  private String behindTheOthers(int array) {
    return array > 0 && request.atOnce() > 0 ? " --dependency=\"afterany$jobs\"" : "";
  }
}
