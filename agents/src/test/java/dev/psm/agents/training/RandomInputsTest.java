package dev.psm.agents.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.Steps;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RandomInputsTest {
  private static final int BATCH = 50;
  private static final int COLUMNS = 7;
  private static final int D = 5;
  private static final int LENGTH = 9;
  private static final int WINDOW = 4;
  private static final Set<Draw> ALL = EnumSet.allOf(Draw.class);
  @TempDir static Path folder;
  private static Experience experience;
  private static Dataset data;

  @BeforeAll
  static void collect() {
    experience = new Steps(6, false).collect(folder.resolve("data"), 30, LENGTH, 1);
    data = experience.dataset();
  }

  private static RandomInputs chance(Long... seeds) {
    return chance(experience, WINDOW, seeds);
  }

  private static RandomInputs chance(Experience from, int window, Long... seeds) {
    return new RandomInputs(
        List.of(seeds),
        from,
        new DrawSizes(BATCH, COLUMNS, D, data.columns().action(), 0.25, window));
  }

  @ParameterizedTest
  @EnumSource
  void drawsDependOnSeedStepAndKindAlone(Draw draw) {
    double[] three = Tensors.toDoubles(chance(4L, 5L, 6L).draw(7, ALL).get(draw));
    int size = three.length / 3;
    double[] own = Arrays.copyOfRange(three, size, 2 * size);
    assertArrayEquals(own, Tensors.toDoubles(chance(5L).draw(7, ALL).get(draw)), "beside others");
    RandomInputs later = chance(5L);
    for (long step = 0; step < 5; step++) {
      later.draw(step, EnumSet.of(Draw.MIXED));
    }
    assertArrayEquals(
        own, Tensors.toDoubles(later.draw(7, Set.of(draw)).get(draw)), "whatever came before");
    assertFalse(Arrays.equals(own, Tensors.toDoubles(chance(5L).draw(8, ALL).get(draw))), "step");
    assertFalse(Arrays.equals(own, Arrays.copyOf(three, size)), "seed");
  }

  @Test
  void noTwoNoisesAreTheSame() {
    StepInputs draws = chance(1L).draw(0, ALL);
    assertFalse(
        Arrays.equals(
            Tensors.toDoubles(draws.get(Draw.NEXT_NOISE)),
            Tensors.toDoubles(draws.get(Draw.ACTOR_NOISE))));
  }

  @Test
  void whatWasNotAskedForIsNotThere() {
    StepInputs draws = chance(1L).draw(0, Set.of(Draw.ROWS));
    assertThrows(IllegalArgumentException.class, () -> draws.get(Draw.CODES));
  }

  @Test
  void everyKindHasItsRangeAndShape() {
    StepInputs draws = chance(1L, 2L).draw(3, ALL);
    for (Draw draw : ALL) {
      Tensor tensor = draws.get(draw);
      assertEquals(2, tensor.size(0), draw.name());
      assertEquals(draw == Draw.COLUMNS ? COLUMNS : BATCH, tensor.size(1), draw.name());
    }
    assertEquals(D, draws.get(Draw.TASK_NOISE).size(2));
    assertEquals(1, draws.get(Draw.NEXT_NOISE).size(2));
    for (long row : Tensors.toLongs(draws.get(Draw.ROWS))) {
      assertTrue(row < data.lastRow(data.episodeOf(row)), "row " + row + " leads nowhere");
    }
    for (long code : Tensors.toLongs(draws.get(Draw.CODES))) {
      assertTrue(code >= 0 && code < 65_536);
    }
    long[] places = Tensors.toLongs(draws.get(Draw.PERMUTATION));
    for (int seed = 0; seed < 2; seed++) {
      long[] sorted = Arrays.copyOfRange(places, seed * BATCH, (seed + 1) * BATCH);
      Arrays.sort(sorted);
      for (int i = 0; i < BATCH; i++) {
        assertEquals(i, sorted[i]);
      }
    }
  }

  @Test
  void sharesAndMomentsAreThoseOfTheSettings() {
    RandomInputs chance = chance(1L);
    double mixed = 0;
    double sum = 0;
    double squares = 0;
    double sameEpisode = 0;
    double codes = 0;
    int steps = 200;
    int[] first = new int[BATCH];
    for (int step = 0; step < steps; step++) {
      StepInputs draws = chance.draw(step, ALL);
      mixed += draws.get(Draw.MIXED).mean().item_double() / steps;
      sum += draws.get(Draw.TASK_NOISE).mean().item_double() / steps;
      squares += draws.get(Draw.TASK_NOISE).square().mean().item_double() / steps;
      codes += draws.get(Draw.CODES).to(torch.ScalarType.Double).mean().item_double() / steps;
      first[(int) Tensors.toLongs(draws.get(Draw.PERMUTATION))[0]]++;
      long[] rows = Tensors.toLongs(draws.get(Draw.ROWS));
      long[] goals = Tensors.toLongs(draws.get(Draw.GOALS));
      for (int i = 0; i < BATCH; i++) {
        boolean later = goals[i] > rows[i] && data.episodeOf(goals[i]) == data.episodeOf(rows[i]);
        sameEpisode += later ? 1.0 / (steps * BATCH) : 0;
      }
    }
    assertEquals(0.25, mixed, 0.02);
    assertEquals(0, sum, 0.02);
    assertEquals(1, squares, 0.03);
    assertEquals(32_768, codes, 1000);
    // Five of eight are later states of the episode; a random one rarely is.
    assertEquals(0.625 + 0.375 / 30 / 2, sameEpisode, 0.02);
    assertTrue(Arrays.stream(first).max().orElseThrow() < 20, "permutations favour a place");
  }

  @Test
  void aBatchIsTheStateTheActionThatFollowedAndTheStateEntered() {
    StepInputs draws = chance(1L, 2L).draw(3, Set.of(Draw.ROWS));
    long[] rows = Tensors.toLongs(draws.get(Draw.ROWS));
    Experience.Batch batch = experience.gather(draws.get(Draw.ROWS));
    float[] states = Tensors.toFloats(batch.observations());
    float[] next = Tensors.toFloats(batch.nextObservations());
    float[] actions = Tensors.toFloats(batch.actions());
    long[] nextRows = Tensors.toLongs(batch.nextRows());
    Steps steps = new Steps(6, false);
    for (int i = 0; i < rows.length; i++) {
      float[] stored = new float[6];
      data.observations(rows[i], 1, stored, 0);
      assertArrayEquals(stored, Arrays.copyOfRange(states, 6 * i, 6 * i + 6));
      int state = 0;
      while (stored[state] == 0) {
        state++;
      }
      assertEquals(1, next[6 * i + steps.next(state, actions[i])], "the action led to s′");
      assertEquals(rows[i] + 1, nextRows[i]);
    }
    assertArrayEquals(
        Tensors.toFloats(batch.nextObservations()),
        Tensors.toFloats(experience.observations(batch.nextRows())));
  }

  /** From 6 of the 9 transitions of an episode on, four follow; every such row is drawn. */
  @Test
  void windowsBeginWhereverEnoughTransitionsFollow() {
    Set<Long> found = new TreeSet<>();
    RandomInputs inputs = chance(1L, 2L);
    for (long step = 0; step < 60; step++) {
      for (long row : Tensors.toLongs(inputs.draw(step, Set.of(Draw.WINDOWS)).get(Draw.WINDOWS))) {
        found.add(row);
      }
    }
    Set<Long> expected = new TreeSet<>();
    for (int episode = 0; episode < data.episodes(); episode++) {
      for (long row = data.firstRow(episode); row + WINDOW <= data.lastRow(episode); row++) {
        expected.add(row);
      }
    }
    assertEquals(30 * (LENGTH - WINDOW + 1), expected.size());
    assertEquals(expected, found);
  }

  @Test
  void dataWithoutAnEpisodeOfThatLengthIsRefused() {
    chance(experience, LENGTH, 1L);
    UserError refusal = assertThrows(UserError.class, () -> chance(experience, LENGTH + 1, 1L));
    assertTrue(
        refusal.getMessage().contains("10 transitions in a row")
            && refusal.getMessage().contains("has 9"),
        refusal.getMessage());
    assertEquals(UserError.Kind.INVALID, refusal.kind());
  }

  @Test
  void dataWithoutAnEpisodeOfThatManyLongerTransitionsIsRefused() {
    Experience strided = new Experience(data, Device.CPU, 2);
    chance(strided, 4, 1L);
    UserError refusal = assertThrows(UserError.class, () -> chance(strided, 5, 1L));
    assertEquals(
        "the agent learns from 5 transitions in a row of 2 steps each, and the longest episode in "
            + data.folder()
            + " has 9; lower horizon or stride, or collect longer episodes",
        refusal.getMessage());
    assertEquals(UserError.Kind.INVALID, refusal.kind());
  }

  /** Of single steps the draws are the dataset's own, one after the other. */
  @Test
  void rowsOfSingleStepsAreTheDatasets() {
    long[] rows = Tensors.toLongs(chance(5L).draw(7, Set.of(Draw.ROWS)).get(Draw.ROWS));
    RandomGenerator random = Seeds.generator(Seeds.mix(5, 7, Draw.ROWS.name()));
    for (long row : rows) {
      assertEquals(data.drawRow(random), row);
    }
  }

  /** So a seed's windows are the same wherever most rows begin one. */
  @Test
  void windowsOfSingleStepsAreTheFirstOfTheDatasetsRowsThatFit() {
    long[] rows = Tensors.toLongs(chance(5L).draw(7, Set.of(Draw.WINDOWS)).get(Draw.WINDOWS));
    RandomGenerator random = Seeds.generator(Seeds.mix(5, 7, Draw.WINDOWS.name()));
    for (long row : rows) {
      long expected = data.drawRow(random);
      while (expected + WINDOW > data.lastRow(data.episodeOf(expected))) {
        expected = data.drawRow(random);
      }
      assertEquals(expected, row);
    }
  }

  @Test
  void longerTransitionsAreDrawnWhereEnoughStepsFollow() {
    Experience strided = new Experience(data, Device.CPU, StridedDraws.STRIDE);
    RandomInputs inputs = chance(strided, StridedDraws.WINDOW, 1L, 2L);
    StridedDraws.check(data, 200, step -> inputs.draw(step, StridedDraws.NEEDS));
  }

  @Test
  void goalsOfLongerTransitionsAreAsManyStepsAway(@TempDir Path one) {
    Dataset longOne = new Steps(6, false).collect(one, 1, 3000, 1).dataset();
    RandomInputs inputs = chance(new Experience(longOne, Device.CPU, 30), 1, 1L, 2L);
    StridedDraws.checkDistances(30, 200, step -> inputs.draw(step, StridedDraws.NEEDS));
  }

  @Test
  void aWindowIsItsTransitionsOneAfterTheOther() {
    Tensor rows = chance(1L, 2L).draw(3, Set.of(Draw.WINDOWS)).get(Draw.WINDOWS);
    Experience.Window window = experience.window(rows, WINDOW);
    assertEquals(WINDOW, window.actions().size());
    assertTrue(torch.equal(experience.observations(rows), window.observations()));
    for (int t = 0; t < WINDOW; t++) {
      Experience.Batch batch = experience.gather(rows.add(Tensors.whole(t)));
      assertTrue(torch.equal(batch.actions(), window.actions().get(t)), "action " + t);
      Tensor entered = window.nextObservations().narrow(1, (long) t * BATCH, BATCH);
      assertTrue(torch.equal(batch.nextObservations(), entered), "state " + t);
    }
  }
}
