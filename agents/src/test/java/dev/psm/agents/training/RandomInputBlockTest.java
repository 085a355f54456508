package dev.psm.agents.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.Steps;
import dev.psm.core.data.Dataset;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RandomInputBlockTest {
  private static final int BATCH = 40;
  private static final int D = 5;
  private static final int LENGTH = 9;
  private static final int COLUMNS = 7;
  private static final int WINDOW = 4;
  private static final double GOAL_SHARE = 0.25;
  private static final Set<Draw> ALL = EnumSet.allOf(Draw.class);
  @TempDir static Path folder;
  private static Experience data;

  @BeforeAll
  static void collect() {
    data =
        new Experience(new Steps(6, false).collect(folder.resolve("d"), 30, LENGTH, 1).dataset());
  }

  private static RandomInputBlock chance(Long... seeds) {
    return chance(data, WINDOW, seeds);
  }

  private static RandomInputBlock chance(Experience from, int window, Long... seeds) {
    return new RandomInputBlock(
        List.of(seeds),
        from,
        new DrawSizes(BATCH, COLUMNS, D, data.actionSize(), GOAL_SHARE, window));
  }

  private static StepInputs at(RandomInputBlock chance, long step, Set<Draw> needs) {
    chance.load(step / RandomInputBlock.STEPS, needs);
    return chance.at(Tensors.longs(new long[] {step % RandomInputBlock.STEPS}, 1), needs);
  }

  private static float[] numbers(Tensor tensor) {
    return Tensors.toFloats(tensor.to(torch.ScalarType.Float));
  }

  @ParameterizedTest
  @EnumSource
  void drawsDependOnSeedStepAndKindAlone(Draw draw) {
    long step = RandomInputBlock.STEPS + 7;
    float[] three = numbers(at(chance(4L, 5L, 6L), step, ALL).get(draw));
    int size = three.length / 3;
    float[] own = Arrays.copyOfRange(three, size, 2 * size);
    assertArrayEquals(own, numbers(at(chance(5L), step, ALL).get(draw)), "beside others");
    RandomInputBlock later = chance(5L);
    at(later, 3, EnumSet.of(Draw.MIXED, Draw.TASK_NOISE));
    Set<Draw> needs = EnumSet.of(Draw.ROWS, draw);
    assertArrayEquals(own, numbers(at(later, step, needs).get(draw)), "whatever came before");
    assertFalse(Arrays.equals(own, numbers(at(later, step + 1, needs).get(draw))), "step");
    assertFalse(Arrays.equals(own, numbers(at(later, 7, needs).get(draw))), "block");
    assertFalse(Arrays.equals(own, Arrays.copyOf(three, size)), "seed");
  }

  @Test
  void aKindThatIsNeededLaterInABlockIsThatBlocks() {
    RandomInputBlock grown = chance(1L);
    at(grown, 2, EnumSet.of(Draw.ROWS));
    assertArrayEquals(
        numbers(at(chance(1L), 2, ALL).get(Draw.NEXT_NOISE)),
        numbers(at(grown, 2, ALL).get(Draw.NEXT_NOISE)));
  }

  @Test
  void theMemoryOfADrawStaysWhereItIs() {
    RandomInputBlock chance = chance(1L, 2L);
    Tensor before = at(chance, 0, ALL).get(Draw.TASK_NOISE);
    StepInputs again = at(chance, 0, ALL);
    assertTrue(torch.equal(before, again.get(Draw.TASK_NOISE)));
    assertFalse(torch.equal(before, at(chance, RandomInputBlock.STEPS, ALL).get(Draw.TASK_NOISE)));
  }

  @Test
  void rowsAreAllFirstStatesOfTransitionsEquallyOften() {
    Dataset dataset = data.dataset();
    int[] counts = new int[(int) dataset.rows()];
    RandomInputBlock chance = chance(1L);
    int steps = 10 * RandomInputBlock.STEPS;
    for (long step = 0; step < steps; step++) {
      for (long row : Tensors.toLongs(at(chance, step, Set.of(Draw.ROWS)).get(Draw.ROWS))) {
        counts[(int) row]++;
      }
    }
    double expected = (double) steps * BATCH / dataset.transitions();
    for (int row = 0; row < counts.length; row++) {
      boolean last = row == dataset.lastRow(dataset.episodeOf(row));
      assertEquals(last ? 0 : expected, counts[row], last ? 0 : 6 * Math.sqrt(expected));
    }
  }

  @Test
  void noisesAreStandardNormalAndSharesWhatTheyShouldBe() {
    RandomInputBlock chance = chance(1L);
    double sum = 0;
    double squares = 0;
    double mixed = 0;
    int count = 0;
    for (long step = 0; step < RandomInputBlock.STEPS; step++) {
      StepInputs draws = at(chance, step, ALL);
      for (float value : numbers(draws.get(Draw.TASK_NOISE))) {
        sum += value;
        squares += value * value;
        count++;
      }
      for (float value : numbers(draws.get(Draw.MIXED))) {
        mixed += value;
      }
    }
    assertEquals(0, sum / count, 5 / Math.sqrt(count));
    assertEquals(1, squares / count, 5 * Math.sqrt(2.0 / count));
    assertEquals(GOAL_SHARE, mixed / (RandomInputBlock.STEPS * BATCH), 0.04);
  }

  @Test
  void permutationsAreOnes() {
    long[] found = Tensors.toLongs(at(chance(1L), 3, ALL).get(Draw.PERMUTATION));
    assertFalse(Arrays.equals(LongStream.range(0, BATCH).toArray(), found));
    Arrays.sort(found);
    assertArrayEquals(LongStream.range(0, BATCH).toArray(), found);
  }

  /** The next row with probability 1 − γ among those that are not drawn from anywhere. */
  @Test
  void goalsAreLaterRowsOfTheEpisodeOrAnyRow() {
    Dataset dataset = data.dataset();
    RandomInputBlock chance = chance(1L, 2L);
    int elsewhere = 0;
    int count = 0;
    for (long step = 0; step < 4 * RandomInputBlock.STEPS; step++) {
      StepInputs draws = at(chance, step, EnumSet.of(Draw.ROWS, Draw.GOALS));
      long[] rows = Tensors.toLongs(draws.get(Draw.ROWS));
      long[] goals = Tensors.toLongs(draws.get(Draw.GOALS));
      for (int i = 0; i < rows.length; i++) {
        count++;
        boolean same = dataset.episodeOf(rows[i]) == dataset.episodeOf(goals[i]);
        elsewhere += same && goals[i] > rows[i] ? 0 : 1;
      }
    }
    // A row drawn from anywhere is rarely a later one of the same episode.
    assertEquals(RandomInputs.RANDOM_GOAL_SHARE, (double) elsewhere / count, 0.03);
  }

  @Test
  void windowsBeginWhereverEnoughTransitionsFollow() {
    Dataset dataset = data.dataset();
    RandomInputBlock inputs = chance(1L, 2L);
    Set<Long> found = new TreeSet<>();
    for (long step = 0; step < RandomInputBlock.STEPS; step++) {
      for (long row : Tensors.toLongs(at(inputs, step, Set.of(Draw.WINDOWS)).get(Draw.WINDOWS))) {
        assertEquals(dataset.episodeOf(row), dataset.episodeOf(row + WINDOW));
        found.add(row);
      }
    }
    assertEquals(30 * (LENGTH - WINDOW + 1), found.size());
  }

  @Test
  void longerTransitionsAreDrawnWhereEnoughStepsFollow() {
    Experience strided = new Experience(data.dataset(), Device.CPU, StridedDraws.STRIDE);
    RandomInputBlock inputs = chance(strided, StridedDraws.WINDOW, 1L, 2L);
    StridedDraws.check(
        data.dataset(), 4 * RandomInputBlock.STEPS, step -> at(inputs, step, StridedDraws.NEEDS));
  }

  @Test
  void goalsOfLongerTransitionsAreAsManyStepsAway(@TempDir Path one) {
    Dataset longOne = new Steps(6, false).collect(one, 1, 3000, 1).dataset();
    RandomInputBlock inputs = chance(new Experience(longOne, Device.CPU, 30), 1, 1L, 2L);
    StridedDraws.checkDistances(
        30, 4 * RandomInputBlock.STEPS, step -> at(inputs, step, StridedDraws.NEEDS));
  }
}
