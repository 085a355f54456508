package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.data.Dataset;
import dev.psm.core.reward.Task;
import dev.psm.lab.pass.EpisodeRange;
import java.util.List;

/** A part of a dataset whose states get a task's rewards. */
final class RelabelPart {
  private static final String TASK = "task";

  /** Enough that opening the engine anew for each does not show. */
  private static final long ROWS = 1 << 16;

  private RelabelPart() {}

  static List<EpisodeRange> cut(Dataset dataset) {
    return EpisodeRange.cut(dataset, ROWS, Integer.MAX_VALUE);
  }

  /**
   * @param task a name or a formula
   */
  static List<ObjectNode> tasks(Dataset dataset, List<EpisodeRange> ranges, String task) {
    return ranges.stream().map(range -> range.task(dataset).put(TASK, task)).toList();
  }

  /** What is done with the rewards of a part. */
  interface Use {
    ObjectNode of(Dataset dataset, StoredStates states, Task task, EpisodeRange range);
  }

  /** Opens what a task speaks of, its files compared with their hashes. */
  static ObjectNode perform(ObjectNode task, Use use) {
    EpisodeRange range = EpisodeRange.of(task);
    try (Dataset dataset = EpisodeRange.open(task)) {
      StoredStates states = new StoredStates(dataset, 1);
      Task paid = states.world().taskOrFormula(task.path(TASK).asText());
      dataset.requireIntact(range.firstRow(dataset), range.endRow(dataset));
      return use.of(dataset, states, paid, range);
    }
  }

  static long[] rows(Dataset dataset, List<EpisodeRange> ranges) {
    return ranges.stream().mapToLong(range -> range.rows(dataset)).toArray();
  }
}
