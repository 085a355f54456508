package dev.psm.lab.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.SolveMethod;
import dev.psm.core.Seeds;
import dev.psm.core.UserError.Kind;
import dev.psm.core.env.Environment;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.lab.RandomEpisodes;
import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Every count is known from how many steps each goal is away. */
final class GoalEvaluationTest {
  private static final int GOALS = 60;
  private static final long SEED = 5;

  private final PointWorld world = new PointWorld();
  private final PointModel model = new PointModel();
  private final ZeroShotAgent agent = PointModel.agent(model, world);

  private static GoalEvaluation play(ZeroShotAgent agent, int threads) {
    return GoalEvaluation.run(agent, GOALS, SEED, threads, Progress.SILENT, () -> false)
        .orElseThrow();
  }

  /** The goals as another environment draws them. */
  private float[][] goals() {
    float[][] goals = new float[GOALS][];
    try (Environment environment = world.open()) {
      for (int i = 0; i < GOALS; i++) {
        environment.reset(Seeds.generator(Seeds.mix(SEED, i, "starts")));
        goals[i] = GoalEvaluation.place(PointWorld.GOAL, environment);
      }
    }
    return goals;
  }

  private static int away(float[] goal) {
    return (int) (Math.abs(goal[0]) + Math.abs(goal[1]));
  }

  @Test
  void aGoalIsReachedIfItIsNearEnoughAndHeldByWhoStays() {
    GoalEvaluation found = play(agent, 1);
    int near = 0;
    float[][] goals = goals();
    for (int i = 0; i < GOALS; i++) {
      int away = away(goals[i]);
      boolean reached = away <= PointWorld.STEPS;
      near += reached ? 1 : 0;
      assertEquals(reached, found.reached()[i], "goal " + i);
      assertEquals(reached, found.held()[i], "goal " + i);
      // Each state away from the goal costs 1; the first that counts is after the first action.
      double paid = reached ? -Math.max(0, away - 1) : -PointWorld.STEPS;
      assertEquals(paid, found.returns().get("reach")[i], "goal " + i);
    }
    assertTrue(near > 5 && near < GOALS - 5, "both kinds are needed, found " + near);
    assertEquals((double) near / GOALS, found.success());
    assertEquals(found.success(), found.successAtEnd());
    assertTrue(found.solveSeconds() > 0);
    assertEquals(1, model.batches(), "all goals are one batch");
  }

  /** Who leaves the goal is back two steps later, so whether it ends there depends on parity. */
  @Test
  void aGoalThatIsLeftAgainWasReachedAndMayNotBeHeld() {
    GoalEvaluation found = play(agent.solvingBy(SolveMethod.GPI), 1);
    float[][] goals = goals();
    int held = 0;
    for (int i = 0; i < GOALS; i++) {
      int away = away(goals[i]);
      boolean reached = away <= PointWorld.STEPS;
      boolean there = reached && (PointWorld.STEPS - away) % 2 == 0;
      held += there ? 1 : 0;
      assertEquals(reached, found.reached()[i], "goal " + i);
      assertEquals(there, found.held()[i], "goal " + i);
      if (reached) {
        assertEquals(there ? 0 : 1, found.finalDistances()[i], "goal " + i);
      }
    }
    assertEquals((double) held / GOALS, found.successAtEnd());
    assertTrue(found.successAtEnd() < found.success());
  }

  @Test
  void threadsChangeNothing() {
    assertSame(play(agent, 1), play(agent, 3));
  }

  private static void assertSame(GoalEvaluation expected, GoalEvaluation found) {
    assertArrayEquals(expected.reached(), found.reached());
    assertArrayEquals(expected.held(), found.held());
    assertArrayEquals(expected.finalDistances(), found.finalDistances());
    assertArrayEquals(expected.returns().get("reach"), found.returns().get("reach"));
  }

  @Test
  void randomActionsBeginInTheSameStatesAndAreThoseOfRandomEpisodes() {
    GoalEvaluation found = GoalEvaluation.random(world, GOALS, SEED, 2, Progress.SILENT);
    double[] returns = RandomEpisodes.run(world, GOALS, SEED, 2, Progress.SILENT).returns()[0];
    assertArrayEquals(returns, found.returns().get("reach"));
    assertTrue(found.success() < play(agent, 1).success());
    assertEquals(0, found.solveSeconds());
  }

  /**
   * A goal further than one step away is then not reached, nor does its distance change any more.
   */
  @Test
  void whatBlewUpCountsUntilThen() {
    PointWorld wild = new PointWorld(2);
    GoalEvaluation found = play(PointModel.agent(model, wild), 2);
    float[][] goals = goals();
    long right = 0;
    for (int i = 0; i < GOALS; i++) {
      if (goals[i][0] > 0) {
        right++;
        assertEquals(away(goals[i]) <= 1, found.reached()[i], "goal " + i);
        double left = Math.hypot(goals[i][0] - 1, goals[i][1]);
        assertEquals(left, found.finalDistances()[i], 1e-6, "goal " + i);
      }
    }
    assertEquals(right, found.divergences());
  }

  @Test
  void aTaskMayBeCalledAsAGradeIs() {
    boolean[] all = {true, true};
    GoalEvaluation found =
        new GoalEvaluation(
            all, all, new double[2], Map.of("success", new double[] {-3, -5}), 0.1, 0);
    assertEquals(1, found.summary().get("success"));
    assertEquals(-4, found.summary().get("return/success"));
    ObjectNode line = Json.object();
    Grade.GOALS.logged(found.summary()).forEach(line::put);
    assertEquals(found.summary(), Grade.in(line));
    // Of runs that are graded by returns, tasks have their own names.
    assertEquals(Map.of("success", 2.0), Grade.in(Json.object().put("return/success", 2.0)));
  }

  private Map<String, Double> tried(ZeroShotAgent who, float... goal) {
    Prompt prompt = new Prompt.Goal(goal, "a goal", Optional.empty());
    return new PromptTrial(who, prompt, prompt.solve(who), SEED)
        .run(1, Progress.SILENT)
        .get(PromptTrial.AGENT)
        .get(0);
  }

  @Test
  void aGoalIsMeasuredByTheNumbersThatItSpeaksOf() {
    ZeroShotAgent other = PointModel.agent(model, PointWorld.withoutEpisodeGoals());
    Map<String, Double> found = tried(other, 1, 2);
    // The sample's deviations are 0.5 and 1.
    assertEquals(2, found.get("distanceAtStart"), 1e-6);
    assertEquals(0, found.get("distanceAtEnd"));
    assertEquals(found, tried(other, 1, 2, 9), "how many steps were made does not count");
  }

  @Test
  void aTrialReadsNothingOfAStateThatBlewUp() {
    Map<String, Double> found = tried(PointModel.agent(model, new PointWorld(2)), 3, 0);
    assertEquals(3, found.get("distanceAtStart"));
    assertEquals(2, found.get("distanceAtEnd"));
    assertEquals(2, found.get("closestDistance"));
  }

  @Test
  void whatIsNotFiniteIsRefused() {
    float none = Float.NaN;
    Runs.refused(
        Kind.INVALID,
        () -> agent.solveGoal(new float[] {0, none}),
        "number 1 of observation 0",
        "NaN");
    Runs.refused(
        Kind.INVALID, () -> agent.solveGoal(new float[] {0, 0, none}), "number 2 of observation 0");
    Runs.refused(
        Kind.INVALID,
        () -> agent.solveGoals(new float[] {0, 1, none, 2}),
        "number 0 of observation 1");
    UnaryOperator<float[]> policy = agent.solveGoals(new float[] {0, 1, 2, 3});
    assertEquals(2, policy.apply(new float[6]).length);
    assertThrows(IllegalArgumentException.class, () -> policy.apply(new float[3]));
    assertThrows(
        IllegalArgumentException.class, () -> policy.apply(new float[] {0, 0, 0, 0, none, 0}));
  }

  @Test
  void itStopsWhenAsked() {
    int[] asked = new int[1];
    Optional<GoalEvaluation> stopped =
        GoalEvaluation.run(agent, GOALS, SEED, 1, Progress.SILENT, () -> asked[0]++ == 2);
    assertFalse(stopped.isPresent());
  }

  @Test
  void aRewardOfTheEpisodesGoalIsNotReadFromTheSample() {
    Runs.refused(Kind.INVALID, () -> agent.solve("reach"), "'reach'", "give the goal itself");
    Runs.refused(Kind.INVALID, () -> agent.solve("-goal_x"), "goal that each episode draws");
    Runs.refused(Kind.INVALID, () -> agent.solve("reach * 2"), "goal that each episode draws");
    assertFalse(world.concernsEpisodeGoal(world.taskOrFormula("-abs(x - 1)")));
  }

  @Test
  void methodsAreThoseOfTheModel() {
    Runs.refused(
        Kind.INVALID,
        () -> agent.solvingBy(SolveMethod.LP),
        "expected one of best, gpi",
        "found lp");
  }
}
