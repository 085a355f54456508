package dev.psm.lab.study;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.io.FolderLock;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.torch.Device;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Trials that belong together, brought to their end by any workers. What is finished is taken as it
 * is; what another process is computing, of the same study on another machine say, is passed over
 * and waited for at the end.
 *
 * @param <K> what a study calls its trials
 */
public final class Study<K> {
  private static final long PAUSE_MILLIS = 200;
  private static final int PAUSES = 10;

  private final Map<Trial, K> trials;
  // Whoever writes results while the study goes on reads these from another thread.
  private final Set<Trial> finished = ConcurrentHashMap.newKeySet();
  private final Map<Trial, String> failures = new ConcurrentHashMap<>();

  /** Looks for what is finished; a run that is in a trial's place but another is refused. */
  public Study(Map<Trial, K> trials) {
    this.trials = new LinkedHashMap<>(trials);
    takeFinished(List.copyOf(trials.keySet()));
  }

  public int size() {
    return trials.size();
  }

  /** In the study's order. */
  public List<K> finished() {
    return trials.keySet().stream().filter(finished::contains).map(trials::get).toList();
  }

  /** What came to no result this time, and why; in the study's order. */
  public Map<K, String> failures() {
    Map<K, String> named = new LinkedHashMap<>();
    trials.forEach(
        (trial, key) -> {
          if (failures.containsKey(trial)) {
            named.put(key, failures.get(trial));
          }
        });
    return named;
  }

  /** How many have come to no end yet. */
  public int missing() {
    return trials.size() - finished.size() - failures.size();
  }

  /**
   * Does what is missing.
   *
   * @param devices where each is computed
   * @param threads of each
   * @param ended is told of each that has come to its end, well or not
   * @return whether all have; false where somebody wanted it to stop before
   */
  public boolean run(
      Function<Trial, Device> devices,
      int threads,
      Workers workers,
      WorkContext context,
      Consumer<K> ended) {
    boolean told = false;
    for (List<Trial> free = open(); !free.isEmpty(); free = awaitFree(context, ended)) {
      if (!perform(free, devices, threads, workers, context, ended)) {
        return false;
      }
      int others = missing();
      if (others > 0 && !told) {
        told = true;
        context
            .notes()
            .accept(
                "waiting for %s that other processes compute"
                    .formatted(Wording.count(others, "run")));
      }
    }
    return missing() == 0;
  }

  /** What has come to no end yet, whoever computes it. */
  private List<Trial> open() {
    return trials.keySet().stream()
        .filter(trial -> !finished.contains(trial) && !failures.containsKey(trial))
        .toList();
  }

  private boolean perform(
      List<Trial> free,
      Function<Trial, Device> devices,
      int threads,
      Workers workers,
      WorkContext context,
      Consumer<K> ended) {
    TrainingWork work = new TrainingWork();
    List<ObjectNode> tasks =
        free.stream().map(trial -> trial.task(devices.apply(trial), threads)).toList();
    return workers.perform(
        TrainingWork.class,
        Wording.count(tasks.size(), "run"),
        tasks,
        context,
        result -> {
          Trial trial = free.get(result.index());
          if (result.failure().isPresent()) {
            fail(trial, result.failure().get(), context, ended);
          } else if (trial.isFinished()) {
            finished.add(trial);
            ended.accept(trials.get(trial));
          } else if (!work.isBusy(result.answer().orElseThrow())) {
            fail(
                trial,
                "%s is said to be finished, but is not there; do all who compute share that folder?"
                    .formatted(trial.folder()),
                context,
                ended);
          }
        });
  }

  private void fail(Trial trial, String reason, WorkContext context, Consumer<K> ended) {
    context.notes().accept(reason + "; the others go on without it");
    failures.put(trial, reason);
    ended.accept(trials.get(trial));
  }

  /**
   * Waits until some of what others compute can be computed here, because they gave it up.
   *
   * @return these; the rest stays open. None where all came to their end, or where somebody wants
   *     to stop
   */
  private List<Trial> awaitFree(WorkContext context, Consumer<K> ended) {
    while (true) {
      takeFinished(open()).forEach(trial -> ended.accept(trials.get(trial)));
      List<Trial> free = open().stream().filter(Study::isFree).toList();
      if (!free.isEmpty() || missing() == 0) {
        return free;
      }
      for (int pause = 0; pause < PAUSES; pause++) {
        if (context.stop().getAsBoolean()) {
          return List.of();
        }
        sleep();
      }
    }
  }

  private List<Trial> takeFinished(List<Trial> among) {
    List<Trial> found = among.stream().filter(Trial::isFinished).toList();
    finished.addAll(found);
    return found;
  }

  private static boolean isFree(Trial trial) {
    Optional<FolderLock> lock = trial.tryLock();
    lock.ifPresent(FolderLock::close);
    return lock.isPresent();
  }

  private static void sleep() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UserError.failed(e, "interrupted while waiting for other processes");
    }
  }
}
