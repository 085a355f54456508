package dev.psm.lab.run;

import dev.psm.core.Seeds;
import dev.psm.core.env.Environment;
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
import java.util.random.RandomGenerator;

/**
 * A prompt's policy tried out: some episodes, each measured by what was asked for, beside those of
 * actors that know nothing and begin in the same states.
 *
 * <p>A reward is measured by its return; a goal and a demonstration by distances in units of the
 * data's own {@link Spread}.
 */
public final class Trial {
  /** The policy itself. */
  public static final String AGENT = "agent";

  /** Uniformly random actions. */
  public static final String RANDOM = "random";

  /** No action at all. */
  public static final String STILL = "still";

  private final World world;
  private final Prompt prompt;
  private final ZeroShotPolicy policy;
  private final Spread spread;
  private final long startSeed;

  /**
   * @param startSeed draws where episodes begin
   */
  public Trial(ZeroShotAgent agent, Prompt prompt, ZeroShotPolicy policy, long startSeed) {
    this.world = agent.environment();
    this.prompt = prompt;
    this.policy = policy;
    this.spread = Spread.of(agent.sample().observations(), world.observationSize());
    this.startSeed = startSeed;
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
    if (prompt instanceof Prompt.Demonstration) {
      float[] nothing = new float[world.actionSize()];
      actors.put(STILL, observation -> nothing);
    }
    Map<String, List<Map<String, Double>>> measured = new LinkedHashMap<>();
    int done = 0;
    try (Environment environment = world.open();
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
    measure.see(observation, 0);
    Environment.Step step;
    do {
      step = environment.step(actor.act(observation));
      observation = step.observation();
      measure.see(observation, step.diverged() ? 0 : prompt.task().reward(environment));
    } while (!step.ended() && !measure.over());
    return measure.result();
  }

  /**
   * A film of the policy.
   *
   * @param ghost whether it shows what is to be reached or followed
   */
  public record Filmed(Film.Result result, boolean ghost) {}

  /** Films the policy in the first of the episodes, with a ghost where the pose is known. */
  public Filmed film(Film.Settings settings, Path file, Progress progress) {
    try (Ghost ghost = Ghost.of(prompt, world)) {
      return new Filmed(
          Film.shoot(
              world, prompt.task(), this::begin, policy::act, ghost, settings, file, progress),
          ghost.isKnown());
    }
  }

  private float[] begin(Environment environment, int episode) {
    policy.restart();
    if (prompt instanceof Prompt.Demonstration followed && followed.physics().isPresent()) {
      return environment.start(Arrays.copyOf(followed.physics().get(), world.stateSize()));
    }
    return environment.reset(Seeds.generator(Seeds.mix(startSeed, episode, "starts")));
  }

  /** What is found out while an episode is played. */
  private interface Measure {
    void see(float[] observation, double reward);

    Map<String, Double> result();

    default boolean over() {
      return false;
    }
  }

  private Measure measure() {
    if (prompt instanceof Prompt.Goal goal) {
      return new Approach(goal.observation());
    }
    if (prompt instanceof Prompt.Demonstration followed) {
      return new Tracking(followed.observations());
    }
    return new Return();
  }

  private static final class Return implements Measure {
    private double total;

    @Override
    public void see(float[] observation, double reward) {
      total += reward;
    }

    @Override
    public Map<String, Double> result() {
      return Map.of("return", total);
    }
  }

  private final class Approach implements Measure {
    private final float[] goal;
    private double first = Double.NaN;
    private double closest = Double.POSITIVE_INFINITY;
    private double last;

    Approach(float[] goal) {
      this.goal = goal;
    }

    @Override
    public void see(float[] observation, double reward) {
      last = spread.distance(observation, goal, 0);
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

  /** Holds the state after t steps against state t of the demonstration, as long as it lasts. */
  private final class Tracking implements Measure {
    private final float[] demonstration;
    private int state;
    private double total;

    Tracking(float[] demonstration) {
      this.demonstration = demonstration;
    }

    @Override
    public void see(float[] observation, double reward) {
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
