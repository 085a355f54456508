package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.pass.DataPass;
import dev.psm.lab.pass.EpisodeRange;
import dev.psm.lab.pass.PassWork;
import java.util.List;
import java.util.Optional;

/**
 * Rewards that came with imported data, held against those of a task put on the stored physics of
 * the same row. The comparison with the row before tells a shift by one step, the usual mistake,
 * from a different reward.
 *
 * @param largest difference, and {@code mean} of its size
 * @param meanOneEarlier the same mean if the stored rewards belonged to the state before
 * @param meanElsewhere the same mean if they belonged to a state half an episode away; NaN where no
 *     episode has two steps
 * @param size of the task's largest reward
 */
public record StoredRewards(
    double largest, double mean, double meanOneEarlier, double meanElsewhere, double size) {
  /** Differences below this share of the largest reward are roundings, or another engine's. */
  private static final double SMALL = 0.1;

  /** Differences no less than this share of those from other states say nothing of their own. */
  private static final double ALIKE = 0.9;

  private static final String COLUMN = "reward";
  private static final String LARGEST = "largest";
  private static final String SUM = "sum";
  private static final String EARLIER = "earlier";
  private static final String ELSEWHERE = "elsewhere";
  private static final String COMPARED = "compared";
  private static final String SIZE = "size";

  /** Whether they fit neither their own states nor those before them better than any others. */
  public boolean areUnrelated() {
    double best = Math.min(mean, meanOneEarlier);
    return best > SMALL * size && best >= ALIKE * meanElsewhere;
  }

  /** Whether they belong to the states before. */
  public boolean areLate() {
    return meanOneEarlier < ALIKE * mean && !areUnrelated();
  }

  /**
   * Compares all rows but the first of each episode, which no step led to.
   *
   * @param task by its name
   */
  public static StoredRewards compare(
      Dataset dataset, String task, Workers workers, WorkContext context) {
    if (!dataset.columns().extras().containsKey(COLUMN)) {
      throw UserError.argument(
          "task", "the dataset came without rewards to compare with; leave the task out");
    }
    List<EpisodeRange> ranges = RelabelPart.cut(dataset);
    double[] largest = new double[1];
    double[] sum = new double[1];
    double[] earlier = new double[1];
    double[] elsewhere = new double[1];
    long[] compared = new long[1];
    double[] size = new double[1];
    boolean all =
        DataPass.run(
            ComparisonWork.class,
            "relabel",
            RelabelPart.tasks(dataset, ranges, task),
            RelabelPart.rows(dataset, ranges),
            workers,
            context,
            answer -> {
              largest[0] = Math.max(largest[0], answer.path(LARGEST).asDouble());
              sum[0] += answer.path(SUM).asDouble();
              earlier[0] += answer.path(EARLIER).asDouble();
              elsewhere[0] += answer.path(ELSEWHERE).asDouble();
              compared[0] += answer.path(COMPARED).asLong();
              size[0] = Math.max(size[0], answer.path(SIZE).asDouble());
            });
    if (!all) {
      throw UserError.failed(null, "stopped before all stored rewards were compared");
    }
    long count = dataset.transitions();
    return new StoredRewards(
        largest[0], sum[0] / count, earlier[0] / count, elsewhere[0] / compared[0], size[0]);
  }

  /** Compares the rewards of a part. */
  public static final class ComparisonWork extends PassWork {
    @Override
    protected Optional<ObjectNode> performPart(ObjectNode part, WorkContext context) {
      return Optional.of(RelabelPart.perform(part, StoredRewards::compare));
    }
  }

  private static ObjectNode compare(
      Dataset dataset, StoredStates states, Task task, EpisodeRange range) {
    long begin = range.firstRow(dataset);
    int rows = Math.toIntExact(range.rows(dataset));
    float[] stored = new float[rows];
    dataset.extra(COLUMN, begin, rows, stored, 0);
    double[] paid = new double[rows];
    states.pay(
        task,
        begin,
        begin + rows,
        (row, block) -> System.arraycopy(block, 0, paid, (int) (row - begin), block.length));
    double largest = 0;
    double sum = 0;
    double earlier = 0;
    double elsewhere = 0;
    long compared = 0;
    double size = 0;
    for (int episode = range.first(); episode < range.end(); episode++) {
      int first = (int) (dataset.firstRow(episode) - begin) + 1;
      int last = (int) (dataset.lastRow(episode) - begin);
      int steps = last - first + 1;
      for (int row = first; row <= last; row++) {
        double difference = Math.abs(stored[row] - paid[row]);
        largest = Math.max(largest, difference);
        sum += difference;
        earlier += Math.abs(stored[row] - paid[row - 1]);
        size = Math.max(size, Math.abs(paid[row]));
        if (steps > 1) {
          elsewhere += Math.abs(stored[row] - paid[first + (row - first + steps / 2) % steps]);
          compared++;
        }
      }
    }
    return Json.object()
        .put(LARGEST, largest)
        .put(SUM, sum)
        .put(EARLIER, earlier)
        .put(ELSEWHERE, elsewhere)
        .put(COMPARED, compared)
        .put(SIZE, size);
  }
}
