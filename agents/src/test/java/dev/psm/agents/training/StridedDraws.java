package dev.psm.agents.training;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.data.Dataset;
import dev.psm.torch.Tensors;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;

/** What must hold of rows of transitions of several environment steps, however they are drawn. */
final class StridedDraws {
  static final Set<Draw> NEEDS = EnumSet.of(Draw.ROWS, Draw.WINDOWS, Draw.COLUMNS, Draw.GOALS);
  static final int STRIDE = 3;
  static final int WINDOW = 2;

  private StridedDraws() {}

  /** Rows and windows begin wherever enough steps follow; later goals are whole strides away. */
  static void check(Dataset data, int steps, LongFunction<StepInputs> draws) {
    Set<Long> rows = new TreeSet<>();
    Set<Long> columns = new TreeSet<>();
    Set<Long> windows = new TreeSet<>();
    double count = 0;
    double ahead = 0;
    double between = 0;
    for (long step = 0; step < steps; step++) {
      StepInputs inputs = draws.apply(step);
      long[] sampled = Tensors.toLongs(inputs.get(Draw.ROWS));
      long[] goals = Tensors.toLongs(inputs.get(Draw.GOALS));
      for (int i = 0; i < goals.length; i++) {
        boolean same = data.episodeOf(goals[i]) == data.episodeOf(sampled[i]);
        boolean later = same && goals[i] > sampled[i];
        count++;
        ahead += later && (goals[i] - sampled[i]) % STRIDE == 0 ? 1 : 0;
        between += later && (goals[i] - sampled[i]) % STRIDE != 0 ? 1 : 0;
      }
      Arrays.stream(sampled).forEach(rows::add);
      Arrays.stream(Tensors.toLongs(inputs.get(Draw.COLUMNS))).forEach(columns::add);
      Arrays.stream(Tensors.toLongs(inputs.get(Draw.WINDOWS))).forEach(windows::add);
    }
    assertEquals(starts(data, STRIDE), rows);
    assertEquals(starts(data, STRIDE), columns);
    assertEquals(starts(data, WINDOW * STRIDE), windows);
    // Those drawn from anywhere are rarely of the same episode.
    assertEquals(1 - RandomInputs.RANDOM_GOAL_SHARE, ahead / count, 0.03);
    assertEquals(0, between / count, 0.02);
  }

  /**
   * The nearest of later goals has the share that the discount of a step gives it over so many
   * steps, where an episode is much longer than a stride.
   */
  static void checkDistances(int stride, int steps, LongFunction<StepInputs> draws) {
    double count = 0;
    double nearest = 0;
    for (long step = 0; step < steps; step++) {
      StepInputs inputs = draws.apply(step);
      long[] sampled = Tensors.toLongs(inputs.get(Draw.ROWS));
      long[] goals = Tensors.toLongs(inputs.get(Draw.GOALS));
      count += goals.length;
      for (int i = 0; i < goals.length; i++) {
        nearest += goals[i] - sampled[i] == stride ? 1 : 0;
      }
    }
    double ofLater = 1 - Math.pow(RandomInputs.FUTURE_DISCOUNT, stride);
    assertEquals((1 - RandomInputs.RANDOM_GOAL_SHARE) * ofLater, nearest / count, 0.03);
  }

  private static Set<Long> starts(Dataset data, int steps) {
    Set<Long> starts = new TreeSet<>();
    for (int episode = 0; episode < data.episodes(); episode++) {
      for (long row = data.firstRow(episode); row + steps <= data.lastRow(episode); row++) {
        starts.add(row);
      }
    }
    return starts;
  }
}
