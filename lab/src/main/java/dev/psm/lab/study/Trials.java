package dev.psm.lab.study;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.env.World;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.torch.Device;
import java.nio.file.Path;
import java.util.List;

/** The runs of a study, and who computes them. */
final class Trials {
  private Trials() {}

  /** Is told how each ended. */
  interface Listener {
    void finished(Trial trial);

    /**
     * @param reason in a sentence
     */
    void failed(Trial trial, String reason);
  }

  /**
   * Brings all of these to their end.
   *
   * @param threads of each
   * @return whether all came there; false where somebody wanted it to stop before
   */
  static boolean run(
      List<Trial> trials,
      Device device,
      int threads,
      Workers workers,
      WorkContext context,
      Listener listener) {
    List<ObjectNode> tasks = trials.stream().map(trial -> trial.task(device, threads)).toList();
    return tasks.isEmpty()
        || workers.perform(
            TrainingWork.class,
            Wording.count(tasks.size(), "run"),
            tasks,
            context,
            result -> {
              Trial trial = trials.get(result.task());
              if (result.failure().isPresent()) {
                context.notes().accept(result.failure().get() + "; the others go on without it");
                listener.failed(trial, result.failure().get());
              } else {
                listener.finished(trial);
              }
            });
  }

  /** The cores of this machine shared out among so many runs: one each where there are enough. */
  static int evenThreads(int runs) {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / Math.max(1, runs));
  }

  /** One run counted twice would make a spread look smaller than it is. */
  static void requireDistinct(String what, List<?> values) {
    if (values.isEmpty()) {
      throw UserError.invalid("nothing to run: give at least one %s", what);
    }
    if (values.stream().distinct().count() < values.size()) {
      throw UserError.invalid("the same %s is given twice: %s", what, values);
    }
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
