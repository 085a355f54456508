package dev.psm.lab.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.io.AtomicFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A Slurm cluster's queue: tasks are written down with the scripts that have them performed, and
 * submitted if wanted. Nobody waits for them; what they found is gathered by a job behind them.
 */
public final class SlurmWorkers implements Workers {
  private final SlurmRequest request;
  private final SlurmQueue queue;

  public SlurmWorkers(SlurmRequest request) {
    this(request, new SlurmQueue());
  }

  SlurmWorkers(SlurmRequest request, SlurmQueue queue) {
    this.request = request;
    this.queue = queue;
    if (request.submits() && !queue.takesJobs()) {
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
    Submissions submissions = new Submissions(request.out());
    requireEnded(submissions.jobs());
    Path folder = submissions.next();
    WorkList list = new WorkList(folder, work.getName(), tasks);
    new SlurmScripts(request, folder, list, queue.largestArray())
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
    SlurmQueue.Said said = queue.submit(script);
    String text = Wording.oneLine(said.text().strip());
    if (said.code() != 0) {
      throw UserError.failed(null, "Slurm did not take the jobs of %s: %s", folder, text);
    }
    context.notes().accept("%s submitted to Slurm: %s".formatted(label, text));
    return false;
  }

  /** What they perform is not finished, so it would be performed twice. */
  private void requireEnded(Set<String> jobs) {
    List<String> open = queue.open(jobs);
    if (!open.isEmpty()) {
      throw UserError.failed(
          null,
          "jobs of an earlier submission for %s still wait or run; wait until they have ended, or"
              + " cancel them: scancel %s",
          request.out(),
          String.join(" ", open));
    }
  }

  @Override
  public String describe() {
    return "Slurm";
  }

  @Override
  public void close() {}
}
