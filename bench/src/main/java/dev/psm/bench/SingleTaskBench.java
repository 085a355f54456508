package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.rnd.DqnSettings;
import dev.psm.agents.rnd.ExplorerSettings;
import dev.psm.agents.rnd.NStepReplay;
import dev.psm.agents.rnd.RndSettings;
import dev.psm.agents.rnd.SingleTaskAgent;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.env.Environment;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.core.settings.Settings;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Machine;
import dev.psm.lab.Progress;
import dev.psm.lab.Provenance;
import dev.psm.lab.RandomEpisodes;
import dev.psm.lab.run.Evaluation;
import dev.psm.torch.ComputeThreads;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Agents trained for one reward alone, from interaction with the environment: what a zero-shot
 * agent's returns are compared with, and what they cost.
 */
public final class SingleTaskBench {
  /** The explorers' settings for one processor core: more updates on half the batch. */
  private static final List<String> MORE_UPDATES = List.of("stepsPerUpdate=4", "batchSize=128");

  private final World world;
  private final ExplorerSettings settings;
  private final Plan plan;
  private final Progress progress;
  private final Consumer<String> lines;
  private final ObjectNode document = Json.object();

  /**
   * What is wanted of every task.
   *
   * @param steps of the environment
   * @param evaluateEvery so many steps, and at the end
   * @param episodes per evaluation
   * @param startSeed draws where those begin, as {@link Evaluation} does
   */
  public record Plan(long steps, long evaluateEvery, int episodes, long seed, long startSeed) {
    public Plan {
      requirePositive("steps", steps);
      requirePositive("evaluateEvery", evaluateEvery);
      requirePositive("episodes", episodes);
    }

    private static void requirePositive(String name, long value) {
      if (value < 1) {
        throw UserError.argument(name, "must be at least 1, found %d", value);
      }
    }
  }

  /** Of the training alone, without evaluations. */
  private static final class Stopwatch {
    private long wall;
    private long processor;

    void start() {
      wall -= System.nanoTime();
      processor -= ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    void stop() {
      wall += System.nanoTime();
      processor += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
  }

  /**
   * @param lines is told every evaluation, for people
   */
  public SingleTaskBench(
      World world,
      ExplorerSettings settings,
      Plan plan,
      Progress progress,
      Consumer<String> lines) {
    settings.requireEpisodes(world.name(), world.episodeSteps());
    this.world = world;
    this.settings = settings;
    this.plan = plan;
    this.progress = progress;
    this.lines = lines;
    document.put("agent", settings.algorithm()).put("environment", world.name());
    document.put("machine", Machine.cpu());
    document.put(Provenance.ENGINE, world.engine());
    document.put("steps", plan.steps).put("seed", plan.seed);
    document.put("episodes", plan.episodes).put("startSeed", plan.startSeed);
    document.set("settings", Settings.toJson((Record) settings).without("representation"));
    document.putObject("tasks");
  }

  /**
   * The settings of what learns a world: DDPG's, or DQN's where actions are numbered.
   *
   * @param overrides of single settings, written {@code key=value}
   */
  public static ExplorerSettings settings(World world, List<String> overrides) {
    return world.actionSpace() instanceof Space.Discrete
        ? settings(DqnSettings.presets().get("small"), overrides)
        : settings(RndSettings.presets().get("small"), overrides);
  }

  private static <S extends Record> S settings(S small, List<String> overrides) {
    return Settings.override(Settings.override(small, MORE_UPDATES), overrides);
  }

  /** What was measured so far. */
  public ObjectNode document() {
    return document;
  }

  /** Trains an agent from nothing and adds what it earned to the document. */
  public void train(Task task) {
    ObjectNode node = Json.object().put("formula", task.formula());
    double[] random =
        RandomEpisodes.run(world, List.of(task), plan.episodes, plan.startSeed, 1, progress)
            .returns()[0];
    node.put("random", Summary.of(random).mean());
    lines.accept(
        String.format(
            Locale.ROOT,
            "%s: mean returns of %d episodes; random actions %.2f",
            task.name(),
            plan.episodes,
            Summary.of(random).mean()));
    SingleTaskAgent agent =
        new SingleTaskAgent(settings, world.observationSize(), world.actionSpace(), plan.seed);
    NStepReplay replay = NStepReplay.of(settings, world.observationSize(), world.actionSize());
    Stopwatch watch = new Stopwatch();
    try (ComputeThreads alone = new ComputeThreads(1);
        Environment environment = world.open();
        Progress.Bar bar = progress.start("train for " + task.name(), plan.steps)) {
      EpisodeBuffer episode = new EpisodeBuffer(world);
      RandomGenerator starts = Seeds.generator(Seeds.mix(plan.seed, 0, "training starts"));
      float[] observation = environment.reset(starts);
      episode.begin(observation);
      watch.start();
      for (long done = 1; done <= plan.steps; done++) {
        agent.learn(replay);
        float[] action = agent.act(observation);
        Environment.Step step = environment.step(action);
        episode.add(action, step, step.diverged() ? 0 : task.reward(environment));
        observation = step.observation();
        if (step.ended()) {
          episode.appendTo(replay, settings.nStep());
          observation = environment.reset(starts);
          episode.begin(observation);
        }
        if (done % plan.evaluateEvery == 0 || done == plan.steps) {
          watch.stop();
          evaluate(task, agent, watch, node);
          watch.start();
        }
        bar.update(done, "");
      }
    }
    document.withObject("/tasks").set(task.name(), node);
  }

  private void evaluate(Task task, SingleTaskAgent agent, Stopwatch watch, ObjectNode node) {
    Evaluation evaluation =
        Evaluation.play(
                world,
                List.of(task),
                plan.episodes,
                plan.startSeed,
                1,
                agent::greedy,
                Progress.SILENT,
                () -> false)
            .orElseThrow();
    double mean = evaluation.mean(task.name());
    lines.accept(
        String.format(
            Locale.ROOT,
            "%,12d steps  %,10d updates  %,8.0f s  %,8.0f s of processor  %10.2f",
            agent.environmentSteps(),
            agent.updates(),
            watch.wall / 1e9,
            watch.processor / 1e9,
            mean));
    ObjectNode point = node.withArray("curve").addObject();
    for (ObjectNode each : List.of(point, node)) {
      each.put("steps", agent.environmentSteps()).put("updates", agent.updates());
      each.put("seconds", watch.wall / 1e9).put("cpuSeconds", watch.processor / 1e9);
      each.put("mean", mean);
    }
    if (evaluation.divergences() > 0) {
      point.put("divergences", evaluation.divergences());
    }
    ArrayNode returns = node.putArray("returns");
    Arrays.stream(evaluation.returns().get(task.name())).forEach(returns::add);
  }
}
