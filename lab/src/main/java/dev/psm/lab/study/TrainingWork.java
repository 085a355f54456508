package dev.psm.lab.study;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.TrainingData;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.World;
import dev.psm.core.io.FolderLock;
import dev.psm.core.io.Json;
import dev.psm.lab.Provenance;
import dev.psm.lab.compute.Work;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.run.Evaluator;
import dev.psm.lab.run.RunContext;
import dev.psm.lab.run.RunDescription;
import dev.psm.lab.run.RunFolder;
import dev.psm.lab.run.TrainingOutcome;
import dev.psm.lab.run.TrainingRun;
import dev.psm.torch.Device;
import dev.psm.zeroshot.AgentFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Brings a run to its end, from wherever it is. */
public final class TrainingWork implements Work {
  /** Weights, moments, a batch, and what libtorch keeps for itself. */
  private static final long MEMORY_OF_A_RUN = 700_000_000L;

  private static final int BYTES_OF_A_FLOAT = 4;

  /** A machine that lost touch may train for a moment yet; its lock is given back when it ends. */
  private static final int LOCK_SECONDS = 60;

  @Override
  public Optional<ObjectNode> perform(ObjectNode task, WorkContext context) {
    Trial trial = Trial.of(task);
    RunDescription run = trial.run();
    World world = run.world();
    awaitLock(trial.folder(), context);
    RunContext own =
        new RunContext(
            Trial.device(task), context.progress(), context.notes(), context.stop(), Evaluator::of);
    TrainingOutcome outcome;
    if (run.data().folder().isEmpty()) {
      outcome = train(trial, new TrainingData.Complete((FiniteWorld) world), own);
    } else {
      try (Dataset dataset = Dataset.open(run.data().folder().get())) {
        outcome = train(trial, new TrainingData.Recorded(world, dataset), own);
      }
    }
    return outcome.finished() ? Optional.of(Json.object()) : Optional.empty();
  }

  private static TrainingOutcome train(Trial trial, TrainingData data, RunContext context) {
    if (AgentFolder.isRun(trial.folder())) {
      RunDescription there = new RunFolder(trial.folder()).description();
      return TrainingRun.resume(there, trial.folder(), OptionalLong.empty(), data, context);
    }
    Device device = context.device();
    RunDescription begun =
        trial
            .run()
            .begun(Provenance.software(device, data.world()).put("started", Provenance.now()));
    return TrainingRun.start(begun, trial.folder(), false, data, context);
  }

  private static void awaitLock(Path folder, WorkContext context) {
    try {
      for (int second = 0; second < LOCK_SECONDS && !context.stop().getAsBoolean(); second++) {
        Optional<FolderLock> lock = FolderLock.tryTake(folder);
        if (lock.isPresent()) {
          lock.get().close();
          return;
        }
        Thread.sleep(1000);
      }
    } catch (IOException e) {
      // Whoever trains there tells what is wrong with the folder.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UserError.failed(e, "interrupted while waiting for %s", folder);
    }
  }

  /** The data is held once by every run that learns from it. */
  @Override
  public long memoryBytes(ObjectNode task) {
    RunDescription run = Trial.of(task).run();
    if (run.data().folder().isEmpty()) {
      return MEMORY_OF_A_RUN;
    }
    World world = run.world();
    long row = (long) world.observationSize() + world.actionSize() + 2;
    return MEMORY_OF_A_RUN
        + BYTES_OF_A_FLOAT * row * (run.data().transitions() + run.data().episodes());
  }

  /** A GPU is one run's at a time, whose seeds share it. */
  @Override
  public int threads(ObjectNode task) {
    return task.has(Trial.PRECISION)
        ? Runtime.getRuntime().availableProcessors()
        : task.path(Trial.THREADS).asInt(1);
  }

  /** The run's own may not be there yet. */
  @Override
  public List<Path> sharedFolders(ObjectNode task) {
    return List.of(Path.of(task.path(Trial.FOLDER).asText()).getParent());
  }
}
