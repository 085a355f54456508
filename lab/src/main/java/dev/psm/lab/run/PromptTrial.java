package dev.psm.lab.run;

import dev.psm.core.Seeds;
import dev.psm.core.env.CheckedEnvironment;
import dev.psm.core.env.Environment;
import dev.psm.core.env.EpisodeGoal;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.lab.Film;
import dev.psm.lab.Progress;
import dev.psm.lab.RandomEpisodes;
import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * A prompt's policy tried out: some episodes, each measured by what was asked for, beside those of
 * actors that know nothing and begin in the same states.
 *
 * <p>A reward is measured by its return; a goal and a demonstration by distances in units of the
 * data's own {@link Spread}, and a goal that takes the place of the one that each episode draws by
 * the distance that belongs to it.
 */
public final class PromptTrial {
  /** The policy itself. */
  public static final String AGENT = "agent";

  /** Uniformly random actions. */
  public static final String RANDOM = "random";

  /** No action at all, where actions are vectors. */
  public static final String STILL = "still";

  private final World world;
  private final Prompt prompt;
  private final ZeroShotPolicy policy;
  private final Spread spread;
  private final long startSeed;
  private final int[] goalColumns;
  private final float[] goal;
  private final Optional<double[]> target;

  /**
   * @param startSeed draws where episodes begin
   */
  public PromptTrial(ZeroShotAgent agent, Prompt prompt, ZeroShotPolicy policy, long startSeed) {
    this.world = agent.environment();
    this.prompt = prompt;
    this.policy = policy;
    this.spread = Spread.of(agent.sample().observations(), world.observationSize());
    this.startSeed = startSeed;
    this.goalColumns = agent.goalColumns();
    this.goal =
        prompt instanceof Prompt.Goal asked
            ? pursued(asked.observation(), goalColumns)
            : new float[0];
    this.target =
        prompt instanceof Prompt.Goal && agent.takesEpisodeGoals()
            ? Optional.of(IntStream.range(0, goal.length).mapToDouble(i -> goal[i]).toArray())
            : Optional.empty();
  }

  /** Of a goal that may be a whole observation, the numbers that the policy pursues. */
  private static float[] pursued(float[] goal, int[] columns) {
    if (goal.length == columns.length) {
      return goal;
    }
    float[] pursued = new float[columns.length];
    for (int i = 0; i < columns.length; i++) {
      pursued[i] = goal[columns[i]];
    }
    return pursued;
  }

  /** The unit of distances; empty where they are in standard deviations of the data. */
  public Optional<String> distanceUnit() {
    return target.map(any -> world.episodeGoal().orElseThrow().distance().unit());
  }

  /** Plays: who acted, and of each episode the measures by name. */
  public Map<String, List<Map<String, Double>>> run(int episodes, Progress progress) {
    Map<String, Film.Policy> actors = new LinkedHashMap<>();
    actors.put(AGENT, policy::act);
    RandomGenerator random = Seeds.generator(Seeds.mix(startSeed, 0, "actions"));
    float[] action = new float[world.actionSize()];
    actors.put(
        RANDOM,
        observation -> {
          RandomEpisodes.draw(world, random, action);
          return action;
        });
    // Of numbered actions, none need be to do nothing.
    if (prompt instanceof Prompt.Demonstration && world.actionSpace() instanceof Space.Box) {
      float[] nothing = new float[world.actionSize()];
      actors.put(STILL, observation -> nothing);
    }
    Map<String, List<Map<String, Double>>> measured = new LinkedHashMap<>();
    int done = 0;
    try (Environment environment = CheckedEnvironment.open(world);
        Progress.Bar bar =
            progress.start("play " + world.name(), (long) actors.size() * episodes)) {
      for (Map.Entry<String, Film.Policy> actor : actors.entrySet()) {
        List<Map<String, Double>> played = new ArrayList<>();
        for (int episode = 0; episode < episodes; episode++) {
          played.add(play(environment, episode, actor.getValue()));
          bar.update(++done, actor.getKey());
        }
        measured.put(actor.getKey(), played);
      }
    }
    return measured;
  }

  private Map<String, Double> play(Environment environment, int episode, Film.Policy actor) {
    Measure measure = measure();
    float[] observation = begin(environment, episode);
    measure.see(environment, observation, 0);
    Environment.Step step;
    do {
      step = environment.step(actor.act(observation));
      observation = step.observation();
      if (step.diverged()) {
        measure.seeLastGood(observation);
      } else {
        measure.see(environment, observation, prompt.task().reward(environment));
      }
    } while (!step.ended() && !measure.over());
    return measure.result();
  }

  /**
   * A film of the policy.
   *
   * @param ghost whether a ghost shows what is to be reached or followed
   * @param target whether the goal's mark does
   */
  public record Filmed(Film.Result result, boolean ghost, boolean target) {}

  /** Films the policy in the first of the episodes, with a ghost where the pose is known. */
  public Filmed film(Film.Settings settings, Path file, Progress progress) {
    try (Ghost ghost = Ghost.of(prompt, world)) {
      return new Filmed(
          Film.shoot(
              world, prompt.task(), this::begin, policy::act, ghost, settings, file, progress),
          ghost.isKnown(),
          target.isPresent());
    }
  }

  private float[] begin(Environment environment, int episode) {
    policy.restart();
    if (prompt instanceof Prompt.Demonstration followed && followed.physics().isPresent()) {
      return environment.start(Arrays.copyOf(followed.physics().get(), world.stateSize()));
    }
    float[] observation =
        environment.reset(Seeds.generator(Seeds.mix(startSeed, episode, "starts")));
    target.ifPresent(environment::replaceGoal);
    return observation;
  }

  /** What is found out while an episode is played. */
  private interface Measure {
    void see(Environment environment, float[] observation, double reward);

    /** After a step that blew up: of its state nothing can be read. */
    default void seeLastGood(float[] observation) {}

    Map<String, Double> result();

    default boolean over() {
      return false;
    }
  }

  private Measure measure() {
    if (prompt instanceof Prompt.Goal) {
      return target.isPresent() ? new Reaching(world.episodeGoal().orElseThrow()) : new Approach();
    }
    if (prompt instanceof Prompt.Demonstration followed) {
      return new Tracking(followed.observations());
    }
    return new Return();
  }

  private static final class Return implements Measure {
    private double total;

    @Override
    public void see(Environment environment, float[] observation, double reward) {
      total += reward;
    }

    @Override
    public Map<String, Double> result() {
      return Map.of("return", total);
    }
  }

  /** How near a goal was, at the start, at best and at the end. */
  private abstract static class Nearing implements Measure {
    private double first = Double.NaN;
    private double closest = Double.POSITIVE_INFINITY;
    private double last;

    abstract double distance(Environment environment, float[] observation);

    @Override
    public void see(Environment environment, float[] observation, double reward) {
      last = distance(environment, observation);
      closest = Math.min(closest, last);
      first = Double.isNaN(first) ? last : first;
    }

    @Override
    public Map<String, Double> result() {
      Map<String, Double> result = new LinkedHashMap<>();
      result.put("distanceAtStart", first);
      result.put("closestDistance", closest);
      result.put("distanceAtEnd", last);
      return result;
    }
  }

  /** By the numbers that the policy pursues, and no others. */
  private final class Approach extends Nearing {
    @Override
    double distance(Environment environment, float[] observation) {
      return spread.distance(observation, goalColumns, goal, 0);
    }
  }

  /** By the distance that the world itself has to its episodes' goals. */
  private static final class Reaching extends Nearing {
    private final EpisodeGoal goal;
    private boolean begun;
    private boolean reached;

    Reaching(EpisodeGoal goal) {
      this.goal = goal;
    }

    @Override
    double distance(Environment environment, float[] observation) {
      double distance = environment.get(goal.distance());
      // As in an evaluation: the states that actions led to count.
      reached |= begun && distance <= goal.within();
      begun = true;
      return distance;
    }

    @Override
    public Map<String, Double> result() {
      Map<String, Double> result = super.result();
      result.put("reached", reached ? 1.0 : 0.0);
      return result;
    }
  }

  /** Holds the state after t steps against state t of the demonstration, as long as it lasts. */
  private final class Tracking implements Measure {
    private final float[] demonstration;
    private int state;
    private double total;

    Tracking(float[] demonstration) {
      this.demonstration = demonstration;
    }

    @Override
    public void seeLastGood(float[] observation) {
      total += spread.distance(observation, demonstration, state++);
    }

    @Override
    public void see(Environment environment, float[] observation, double reward) {
      // Where it begins is not the policy's doing.
      if (state > 0) {
        total += spread.distance(observation, demonstration, state);
      }
      state++;
    }

    @Override
    public boolean over() {
      return state == demonstration.length / world.observationSize();
    }

    @Override
    public Map<String, Double> result() {
      return Map.of("trackingError", total / (state - 1));
    }
  }
}
