package dev.psm.lab.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.io.AtomicFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Slurm cluster's queue: tasks are written down with the scripts that have them performed, and
 * submitted if wanted. Nobody waits for them; what they found is gathered by a job behind them.
 */
public final class SlurmWorkers implements Workers {
  /** Of a Slurm that does not say otherwise: indices below 1001. */
  private static final int USUAL_LARGEST_ARRAY = 1001;

  private static final Pattern LARGEST = Pattern.compile("MaxArraySize\\s*=\\s*(\\d+)");

  private final SlurmRequest request;

  public SlurmWorkers(SlurmRequest request) {
    this.request = request;
    if (request.submits() && run(List.of("sbatch", "-V")).isEmpty()) {
      throw UserError.argument(
          "submit",
          "there is no sbatch on this machine; leave it out to have the scripts written, and submit"
              + " them where Slurm is");
    }
  }

  @Override
  public boolean perform(
      Class<? extends Work> work,
      String label,
      List<ObjectNode> tasks,
      WorkContext context,
      Consumer<TaskResult> ended) {
    Path folder = new Submissions(request.out()).next();
    WorkList list = new WorkList(folder, work.getName(), tasks);
    new SlurmScripts(request, folder, list, largestArray())
        .texts()
        .forEach((name, text) -> AtomicFiles.writeText(folder.resolve(name), text));
    list.write();
    Path script = folder.resolve("submit.sh");
    if (!request.submits()) {
      context
          .notes()
          .accept(
              "%s for Slurm in %s; submit them by: bash %s"
                  .formatted(label, folder, Wording.shell(script)));
      return false;
    }
    Said said =
        run(List.of("bash", script.toString()))
            .orElseThrow(() -> UserError.failed(null, "there is no bash on this machine"));
    if (said.code != 0) {
      throw UserError.failed(
          null, "Slurm did not take the jobs of %s: %s", folder, said.text.strip());
    }
    context.notes().accept("%s submitted to Slurm: %s".formatted(label, said.text.strip()));
    return false;
  }

  /** What this cluster says, or what is usual where it cannot be asked. */
  private static int largestArray() {
    Matcher found =
        LARGEST.matcher(
            run(List.of("scontrol", "show", "config")).map(said -> said.text).orElse(""));
    // The size is one more than the largest index, and ours begin at 0.
    return Math.max(1, found.find() ? Integer.parseInt(found.group(1)) : USUAL_LARGEST_ARRAY);
  }

  private record Said(int code, String text) {}

  /** Empty where there is no such program. */
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

  @Override
  public String describe() {
    return "Slurm";
  }

  @Override
  public void close() {}
}
