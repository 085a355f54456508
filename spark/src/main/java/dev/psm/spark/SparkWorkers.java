package dev.psm.spark;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.lab.compute.Attempt;
import dev.psm.lab.compute.TaskResult;
import dev.psm.lab.compute.Work;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The machines of a cluster. Spark is started for the first tasks, since only they say what a
 * process must have, and again for tasks that need more.
 */
final class SparkWorkers implements Workers {
  private final SparkOptions options;
  private SparkConnection connection;

  SparkWorkers(SparkOptions options) {
    this.options = options;
  }

  @Override
  public boolean perform(
      Class<? extends Work> work,
      String label,
      List<ObjectNode> tasks,
      WorkContext context,
      Consumer<TaskResult> ended) {
    if (tasks.isEmpty()) {
      return true;
    }
    Work described = Attempt.work(work.getName());
    connect(Needs.of(described, tasks, options.gpu()), context);
    Set<Path> folders = new LinkedHashSet<>();
    tasks.forEach(task -> folders.addAll(described.sharedFolders(task)));
    try (SharedFolders shared = new SharedFolders(folders)) {
      return new SparkJobs(options, connection, work.getName(), shared.mark())
          .perform(label, tasks, context, ended);
    } catch (IllegalStateException e) {
      if (connection.spark().isStopped()) {
        throw UserError.failed(
            e, "%s", Failures.ofCluster(options.master() + " ended the connection"));
      }
      throw e;
    }
  }

  private void connect(Needs needs, WorkContext context) {
    if (connection != null && !connection.covers(needs)) {
      close();
    }
    if (connection == null) {
      connection = SparkConnection.open(options, needs);
      if (!options.master().isThisProcess()) {
        context
            .notes()
            .accept(
                "each machine of %s is sent %s, once"
                    .formatted(options.master(), connection.size()));
      }
    }
  }

  @Override
  public String describe() {
    return options.master().text();
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
