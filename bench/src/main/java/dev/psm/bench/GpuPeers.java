package dev.psm.bench;

import dev.psm.core.UserError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A Python process per subject, started before anything is asked of it, for importing torch and
 * starting CUDA take longer than most of what is measured.
 */
final class GpuPeers implements AutoCloseable {
  /** The first answer waits for torch to be imported. */
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  static final int CHECK_STEPS = 3;

  private final Path python;
  private final Path folder;
  private final String device;
  private final Map<TrainingSubject, TrainingPeer> peers = new HashMap<>();
  private final Map<TrainingSubject, UserError> notStarted = new HashMap<>();

  GpuPeers(Path python, Path folder, String device) {
    this.python = python;
    this.folder = folder;
    this.device = device;
  }

  /** Where the dataset has to be before the first question. */
  Path data() {
    return folder.resolve("data.safetensors");
  }

  /** Where the subject's first steps have to be before the first question. */
  Path firstSteps(TrainingSubject subject) {
    return folder.resolve(
        "start-%s-%s.safetensors".formatted(subject.size().id(), subject.agent().id()));
  }

  /** Starts the peer of a subject that has one: whole steps of the methods that learn measures. */
  void start(TrainingSubject subject) {
    if (!subject.isWhole() || !TrainingPeer.GRAPH_AGENTS.contains(subject.agent().id())) {
      return;
    }
    try {
      peers.put(
          subject,
          TrainingPeer.start(
              python,
              folder,
              subject
                  .describe()
                  .put("device", device)
                  .put("threads", Runtime.getRuntime().availableProcessors())
                  .put("checkSteps", CHECK_STEPS),
              data(),
              firstSteps(subject),
              PATIENCE));
    } catch (UserError e) {
      notStarted.put(subject, e);
    }
  }

  /** Empty where a subject has no peer; one that could not be started is an error. */
  Optional<TrainingPeer> of(TrainingSubject subject) {
    if (notStarted.containsKey(subject)) {
      throw notStarted.get(subject);
    }
    return Optional.ofNullable(peers.get(subject));
  }

  @Override
  public void close() {
    peers.values().forEach(TrainingPeer::close);
  }
}
