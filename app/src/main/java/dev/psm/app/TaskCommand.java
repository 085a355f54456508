package dev.psm.app;

import dev.psm.lab.compute.TaskResult;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.WorkList;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What a job of a queue calls. */
@Command(
    name = "task",
    hidden = true,
    mixinStandardHelpOptions = true,
    description = "Perform one of the tasks that another command has handed to a queue.")
final class TaskCommand implements Callable<Integer> {
  @Mixin private Output output;

  @Parameters(index = "0", paramLabel = "DIR", description = "Where the tasks are.")
  private Path folder;

  @Parameters(index = "1", paramLabel = "N", description = "Which one, counted from 0.")
  private int index;

  @Override
  public Integer call() {
    WorkList list = WorkList.read(folder);
    try (Interruption interruption =
        new Interruption(() -> output.note("stopping after this step, and saving it"))) {
      TaskResult result =
          interruption.tell(
              () ->
                  list.perform(
                      index, new WorkContext(output.progress(), output::note, interruption)),
              output::note);
      result.failure().ifPresent(output::note);
      return result.answer().isPresent() ? 0 : 1;
    }
  }
}
