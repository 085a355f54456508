package dev.psm.lab.compute;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What this machine's programs of Slurm say of its queue, and take for it. */
final class SlurmQueue {
  /** Of a Slurm that does not say otherwise: indices below 1001. */
  private static final int USUAL_LARGEST_ARRAY = 1001;

  private static final Pattern LARGEST = Pattern.compile("MaxArraySize\\s*=\\s*(\\d+)");

  /** What a program said, and its exit status. */
  record Said(int code, String text) {}

  private final Function<List<String>, Optional<Said>> programs;

  SlurmQueue() {
    this(SlurmQueue::run);
  }

  /**
   * @param programs what a command comes to; empty where there is no such program
   */
  SlurmQueue(Function<List<String>, Optional<Said>> programs) {
    this.programs = programs;
  }

  boolean takesJobs() {
    return programs.apply(List.of("sbatch", "-V")).isPresent();
  }

  /** What this cluster says, or what is usual where it cannot be asked. */
  int largestArray() {
    Matcher found =
        LARGEST.matcher(
            programs.apply(List.of("scontrol", "show", "config")).map(Said::text).orElse(""));
    // The size is one more than the largest index, and ours begin at 0.
    return Math.max(1, found.find() ? Integer.parseInt(found.group(1)) : USUAL_LARGEST_ARRAY);
  }

  /** Those jobs that wait or run yet; none where there is no Slurm on this machine to ask. */
  List<String> open(Set<String> jobs) {
    if (jobs.isEmpty()) {
      return List.of();
    }
    // An array's own number, whichever of its jobs are left.
    Optional<Said> said = programs.apply(List.of("squeue", "-h", "-o", "%F"));
    if (said.isPresent() && said.get().code != 0) {
      throw UserError.failed(
          null,
          "squeue does not say whether earlier jobs are still there: %s",
          Wording.oneLine(said.get().text.strip()));
    }
    return said.stream()
        .flatMap(all -> all.text.lines())
        .map(String::strip)
        .filter(jobs::contains)
        .distinct()
        .sorted()
        .toList();
  }

  /** Has a script submit its jobs, all of them or none. */
  Said submit(Path script) {
    return programs
        .apply(List.of("bash", script.toString()))
        .orElseThrow(() -> UserError.failed(null, "there is no bash on this machine"));
  }

  private static Optional<Said> run(List<String> command) {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return Optional.empty();
    }
    try {
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Optional.of(new Said(process.waitFor(), text));
    } catch (IOException e) {
      throw UserError.failed(e, "%s cannot be read: %s", command.get(0), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UserError.failed(e, "interrupted while waiting for %s", command.get(0));
    }
  }
}
