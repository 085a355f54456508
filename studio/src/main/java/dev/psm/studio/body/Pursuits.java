package dev.psm.studio.body;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.Environment;
import dev.psm.core.env.EpisodeGoal;
import dev.psm.core.env.World;
import dev.psm.core.reward.CanonicalReward;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import dev.psm.core.reward.formula.FormulaError;
import dev.psm.lab.run.GoalEvaluation;
import dev.psm.lab.run.Spread;
import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Solves prompts, and finds what can be plotted and shown of them. For one thread. */
final class Pursuits {
  private static final int MAX_WORDS = 6;

  private final ZeroShotAgent agent;
  private final World world;
  private final Uploads uploads;
  private final Mannequin mannequin;
  private Spread spread;

  Pursuits(ZeroShotAgent agent, Uploads uploads, Mannequin mannequin) {
    this.agent = agent;
    this.world = agent.environment();
    this.uploads = uploads;
    this.mannequin = mannequin;
  }

  /**
   * @param environment where it is to be pursued
   */
  Pursuit solve(Asked asked, Environment environment) {
    if (asked instanceof Asked.Reward reward) {
      Task task = world.taskOrFormula(reward.text());
      boolean named = world.tasks().contains(task);
      return named && agent.takesEpisodeGoals() && world.concernsEpisodeGoal(task)
          ? drawn(reward, task, environment)
          : paid(reward, task);
    }
    if (asked instanceof Asked.Demonstration shown) {
      Prompt.Demonstration prompt = uploads.get(shown.upload(), shown.window());
      // Its task vector changes with every step, so there is nothing to project on.
      return Pursuit.of(asked, prompt, prompt.solve(agent), List.of())
          .withGhost(mannequin.states(prompt.observations()));
    }
    if (asked instanceof Asked.Posture posture) {
      double[] state = mannequin.state(posture.values());
      return goal(asked, mannequin.observe(state), "a pose", Optional.of(state));
    }
    if (asked instanceof Asked.Frame frame) {
      return goal(
          asked,
          observation(frame.index()),
          "state %d of the agent's sample".formatted(frame.index()),
          Optional.empty());
    }
    float[] numbers = ((Asked.Goal) asked).numbers();
    return goal(asked, numbers, words(numbers), Optional.empty());
  }

  private static String words(float[] numbers) {
    if (numbers.length > MAX_WORDS) {
      return "an observation";
    }
    List<String> words = new ArrayList<>();
    for (float number : numbers) {
      words.add(Wording.format("%.3g", number));
    }
    return String.join(", ", words);
  }

  float[] observation(int index) {
    int states = agent.sample().states(world);
    if (index >= states) {
      throw UserError.invalid(
          "the agent's sample has states 0 to %d, so there is no state %d", states - 1, index);
    }
    int width = world.observationSize();
    return Arrays.copyOfRange(agent.sample().observations(), index * width, (index + 1) * width);
  }

  private Pursuit paid(Asked.Reward asked, Task task) {
    Prompt prompt = new Prompt.Reward(task);
    ZeroShotPolicy policy = prompt.solve(agent);
    double[] rewards = agent.rewards(task);
    Optional<Projection> projection =
        Projection.of(agent, policy.taskVector(), Optional.of(rewards));
    List<Track> tracks = new ArrayList<>();
    tracks.add(new Track("reward", "reward", "", (body, seen) -> reward(task, body)));
    tracks.addAll(projected(projection, "projected reward"));
    for (Formula part : parts(task)) {
      tracks.add(new Track("part", part.text(), "", (body, seen) -> part.value(body)));
    }
    Pursuit pursuit = Pursuit.of(asked, prompt, policy, tracks).withProjection(projection);
    return CanonicalReward.of(rewards).isConstant() ? pursuit.asConstant() : pursuit;
  }

  /** What a state pays; NaN where a formula is not finite, which is plotted as a gap. */
  private static double reward(Task task, Environment body) {
    return task.reward() instanceof Formula formula ? formula.value(body) : task.reward(body);
  }

  /** Those that change with the state. */
  private List<Formula> parts(Task task) {
    if (task.formula().isEmpty()) {
      return List.of();
    }
    try {
      return Formula.parse(task.formula(), world.vocabulary()).parts(world.vocabulary()).stream()
          .filter(part -> !part.quantities().isEmpty())
          .toList();
    } catch (FormulaError e) {
      // A task's formula may be in words of the world's own code.
      return List.of();
    }
  }

  /** The goal that the episode drew for itself. */
  private Pursuit drawn(Asked.Reward asked, Task task, Environment environment) {
    EpisodeGoal goal = world.episodeGoal().orElseThrow();
    Prompt.Goal prompt =
        new Prompt.Goal(GoalEvaluation.place(goal, environment), task.name(), Optional.empty());
    List<Track> tracks = new ArrayList<>();
    tracks.add(new Track("reward", task.name(), "", (body, seen) -> reward(task, body)));
    tracks.add(distance(goal));
    return Pursuit.of(asked, prompt, prompt.solve(agent), tracks).asDrawn();
  }

  private Pursuit goal(Asked asked, float[] observation, String source, Optional<double[]> state) {
    Prompt.Goal prompt = new Prompt.Goal(observation, source, state);
    ZeroShotPolicy policy = prompt.solve(agent);
    int[] columns = agent.goalColumns();
    float[] pursued = observation;
    if (observation.length != columns.length) {
      pursued = new float[columns.length];
      for (int i = 0; i < columns.length; i++) {
        pursued[i] = observation[columns[i]];
      }
    }
    float[] goal = pursued;
    // Where features are distances, the task vector changes with every state.
    Optional<Projection> projection =
        agent.model().goalsAreDirections()
            ? Optional.empty()
            : Projection.of(agent, policy.taskVector(), Optional.empty());
    List<Track> tracks = new ArrayList<>();
    tracks.add(
        agent.takesEpisodeGoals()
            ? distance(world.episodeGoal().orElseThrow())
            : distance(columns, goal));
    tracks.addAll(projected(projection, "φ(s)ᵀz"));
    Pursuit pursuit =
        Pursuit.of(asked, prompt, policy, tracks)
            .withProjection(projection)
            .withWarning(agent.outsideData(observation))
            .withGhost(state.map(List::of).orElseGet(() -> mannequin.states(observation)));
    return agent.takesEpisodeGoals()
        ? pursuit.withTarget(IntStream.range(0, goal.length).mapToDouble(i -> goal[i]).toArray())
        : pursuit;
  }

  private Track distance(int[] columns, float[] goal) {
    if (spread == null) {
      spread = Spread.of(agent.sample().observations(), world.observationSize());
    }
    return new Track(
        "distance",
        "distance to the goal",
        "standard deviations of the data",
        (body, seen) -> spread.distance(seen, columns, goal, 0));
  }

  private static Track distance(EpisodeGoal goal) {
    return new Track(
        "distance",
        "distance to the goal",
        goal.distance().unit(),
        (body, seen) -> body.get(goal.distance()));
  }

  private List<Track> projected(Optional<Projection> projection, String name) {
    return projection
        .map(
            known ->
                List.of(new Track("projected", name, "", (body, seen) -> known.at(agent, seen))))
        .orElse(List.of());
  }
}
