package dev.psm.lab.study;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.TrainingData;
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
import dev.psm.lab.run.TrainingRun;
import dev.psm.torch.Device;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Brings a run to its end, from wherever it is. */
public final class TrainingWork implements Work {
  /** Weights, moments, a batch, and what libtorch keeps for itself. */
  private static final long MEMORY_OF_A_RUN = 700_000_000L;

  private static final int BYTES_OF_A_FLOAT = 4;

  private static final String BUSY = "busy";

  /** On another machine, or on one that lost touch and trains for a moment yet. */
  @Override
  public boolean isBusy(ObjectNode answer) {
    return answer.path(BUSY).asBoolean();
  }

  @Override
  public String name(ObjectNode task) {
    return task.path(Trial.FOLDER).asText();
  }

  @Override
  public Optional<ObjectNode> perform(ObjectNode task, WorkContext context) {
    Trial trial = Trial.of(task);
    Optional<FolderLock> lock = trial.tryLock();
    if (lock.isEmpty()) {
      return Optional.of(Json.object().put(BUSY, true));
    }
    try (FolderLock held = lock.get()) {
      // Another process may have come to its end since this one was planned.
      return trial.isFinished() || train(trial, held, task, context)
          ? Optional.of(Json.object())
          : Optional.empty();
    }
  }

  private static boolean train(Trial trial, FolderLock lock, ObjectNode task, WorkContext context) {
    RunDescription run = trial.run();
    World world = run.world();
    Device device = Trial.device(task);
    RunContext own =
        new RunContext(device, context.progress(), context.notes(), context.stop(), Evaluator::of);
    RunDescription begun =
        run.begun(Provenance.software(device, world).put("started", Provenance.now()));
    if (run.data().folder().isEmpty()) {
      return TrainingRun.beginOrResume(
              begun, trial.folder(), lock, new TrainingData.Complete((FiniteWorld) world), own)
          .finished();
    }
    try (Dataset dataset = Dataset.open(run.data().folder().get())) {
      return TrainingRun.beginOrResume(
              begun, trial.folder(), lock, new TrainingData.Recorded(world, dataset), own)
          .finished();
    }
  }

  /** The data is held once by every run that learns from it. */
  @Override
  public long memoryBytes(ObjectNode task) {
    return MEMORY_OF_A_RUN + dataBytes(Trial.of(task).run());
  }

  /** What a run's data takes in memory, on its device. */
  static long dataBytes(RunDescription run) {
    if (run.data().folder().isEmpty()) {
      return 0;
    }
    World world = run.world();
    long row = (long) world.observationSize() + world.actionSize() + 2;
    return BYTES_OF_A_FLOAT * row * (run.data().transitions() + run.data().episodes());
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
