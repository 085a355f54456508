package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.SolveMethod;
import dev.psm.app.bundle.ByteSize;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.CheckedEnvironment;
import dev.psm.core.env.Environment;
import dev.psm.core.env.EpisodeGoal;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Film;
import dev.psm.lab.Provenance;
import dev.psm.lab.infer.VectorFile;
import dev.psm.lab.run.GoalEvaluation;
import dev.psm.lab.run.OnnxExport;
import dev.psm.lab.run.PromptData;
import dev.psm.lab.run.PromptFile;
import dev.psm.lab.run.PromptTrial;
import dev.psm.zeroshot.AgentFolder;
import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** {@code solve} with an agent of continuous control. */
final class ControlSolving {
  @Option(
      names = "--task",
      paramLabel = "NAME",
      description =
          "A task of the environment by its name, see env list; with --vectors, which of them.")
  private String task;

  @Option(
      names = "--vectors",
      paramLabel = "FILE",
      description = "Task vectors that infer found; --task says which.")
  private Path vectors;

  @Option(
      names = "--demo",
      paramLabel = "FILE|DATASET",
      description = "States to follow: a file of observations, or an episode of a dataset.")
  private Path demo;

  @Option(
      names = "--samples",
      paramLabel = "FILE|DATASET",
      description =
          "States and what each of them pays, from a file or from the rewards that a dataset came with; of other states"
              + " nothing need be known.")
  private Path samples;

  @Option(
      names = "--row",
      paramLabel = "R",
      description = "Which state of the dataset is the goal, counted over all of it from 0.")
  private Long row;

  @Option(
      names = "--episode",
      paramLabel = "K",
      description = "Which episode of the dataset is followed, from 0 (default: 0).")
  private Integer episode;

  @Option(
      names = "--window",
      paramLabel = "N",
      description = "How many states of a demonstration the agent looks ahead (default: 10).")
  private int window = 10;

  @Option(
      names = "--episodes",
      paramLabel = "N",
      description =
          "How many to play, beside random actions from the same starts; 0 only solves (default: 1).")
  private Integer episodes;

  @Option(
      names = "--start-seed",
      paramLabel = "N",
      description = "Draws where episodes begin (default: 0).")
  private long startSeed;

  @Option(names = "--film", paramLabel = "FILE.gif", description = "Film the policy.")
  private Path film;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "How long the film is, in the robot's time (default: 8).")
  private double seconds = 8;

  @Option(names = "--width", paramLabel = "N", description = "Pixels of the film (default: 480).")
  private int width = 480;

  @Option(names = "--height", paramLabel = "N", description = "Pixels of the film (default: 360).")
  private int height = 360;

  @Option(
      names = "--onnx",
      paramLabel = "FILE.onnx",
      description =
          "Write the policy for other programs: input observation, output action; see export --onnx for the whole"
              + " agent.")
  private Path onnx;

  @Option(names = "--force", description = "Replace the file of --onnx that is already there.")
  private boolean force;

  void run(
      AgentFolder run,
      Long seed,
      String goal,
      String reward,
      String methodName,
      MatchedOptions given,
      Output output) {
    check(goal, reward, given);
    Film.Settings filming = new Film.Settings(width, height, seconds, startSeed);
    long loading = System.nanoTime();
    ZeroShotAgent loaded = ZeroShotAgent.read(seed == null ? run.agent() : run.agent(seed));
    double loadMilliseconds = (System.nanoTime() - loading) / 1e6;
    SolveMethod method = Methods.of(loaded, methodName);
    ZeroShotAgent agent = Methods.by(method, loaded);
    World world = agent.environment();
    if (film != null) {
      agent.requireEnvironment();
    }
    Long chosen = seed == null ? run.firstSeed().orElse(null) : seed;

    long start = System.nanoTime();
    Prompt prompt = prompt(agent, goal, reward);
    ZeroShotPolicy policy = solve(prompt, agent, goal);
    float[] action =
        policy.act(Arrays.copyOf(agent.sample().observations(), world.observationSize()));
    double milliseconds = (System.nanoTime() - start) / 1e6;
    if (film != null) {
      Film.requireScenery(world, prompt.task());
    }
    long onnxBytes = onnx == null ? 0 : OnnxExport.write(agent, prompt, onnx);

    output.say(
        "%s%s on %s%s: from the %s to the first action in %.1f ms (model loaded in %.0f ms)"
            .formatted(
                agent.name(),
                Methods.in(method),
                world.name(),
                chosen == null ? "" : ", seed " + chosen + seedsBeside(run),
                prompt.kind(),
                milliseconds,
                loadMilliseconds));
    warnOfConstant(agent, prompt, output);
    if (prompt instanceof Prompt.Goal asked) {
      agent.outsideData(asked.observation()).ifPresent(output::note);
    }
    ObjectNode document = Json.object();
    document.put("agent", agent.name()).put("environment", world.name());
    if (chosen != null) {
      document.put("seed", chosen);
    }
    if (method != null) {
      document.put("method", method.id());
    }
    document.put("prompt", prompt.kind());
    if (prompt instanceof Prompt.Goal reached) {
      put(document.putArray("goal"), reached.observation());
    }
    if (prompt instanceof Prompt.Vector found) {
      document.put("task", found.task().name()).put("formula", found.task().formula());
    }
    if (prompt instanceof Prompt.Reward paid) {
      document.put("task", paid.task().name()).put("formula", paid.task().formula());
    }
    document.put("milliseconds", milliseconds).put("loadMilliseconds", loadMilliseconds);
    if (agent.hasTaskVectors()) {
      put(document.putArray("taskVector"), policy.taskVector());
    }
    put(document.putArray("firstAction"), action);
    if (onnx != null) {
      output.say("policy in %s: %s".formatted(onnx, ByteSize.words(onnxBytes)));
      document.putObject("onnx").put("file", onnx.toString()).put("bytes", onnxBytes);
    }
    PromptTrial trial = new PromptTrial(agent, prompt, policy, startSeed);
    if (world instanceof StoredWorld) {
      output.say("action in the first state of its sample: " + shown(action));
    }
    play(agent, trial, prompt, document, output);
    film(trial, prompt, filming, document, output);
    output.finish(document);
  }

  /** What is wrong with a prompt out of a file is told of the file. */
  private ZeroShotPolicy solve(Prompt prompt, ZeroShotAgent agent, String goal) {
    Object file = goal != null ? goal : demo != null ? demo : vectors != null ? vectors : samples;
    try {
      return prompt.solve(agent);
    } catch (UserError e) {
      throw file == null ? e : UserError.invalid("%s: %s", file, e.getMessage());
    }
  }

  private static String seedsBeside(AgentFolder run) {
    return run.seeds().size() < 2 ? "" : " of " + run.seeds().size();
  }

  private void check(String goal, String reward, MatchedOptions given) {
    String named = vectors == null ? task : null;
    long prompts =
        Stream.of(named, vectors, reward, goal, demo, samples).filter(Objects::nonNull).count();
    if (prompts != 1) {
      throw UserError.invalid(
          "give one prompt: --task NAME, --reward FORMULA, --goal GOAL, --demo FILE,"
              + " --samples FILE or --vectors FILE; found %s",
          prompts == 0 ? "none" : prompts + " of them");
    }
    if (goal == null || !PromptData.isDataset(Path.of(goal))) {
      given.refuse("names a state of a dataset; give --goal DATASET with it", "--row");
    } else if (row == null) {
      throw UserError.invalid("%s is a dataset; say with --row which of its states to reach", goal);
    }
    if (demo == null || !PromptData.isDataset(demo)) {
      given.refuse("names an episode of a dataset; give --demo DATASET with it", "--episode");
    }
    if (demo == null) {
      given.refuse("is for demonstrations; give --demo with it", "--window");
    }
    if (film == null) {
      given.refuse(
          "is for films; give --film FILE.gif with it", "--seconds", "--width", "--height");
    }
    Destination.file("--film", film, ".gif");
    if (onnx == null) {
      given.refuse("is for ONNX files; give --onnx FILE.onnx with it", "--force");
    }
    Destination.file("--onnx", onnx, ".onnx");
    Destination.unused("--onnx", onnx, force);
    Range.check("--window", window, 1, Integer.MAX_VALUE);
    if (episodes != null) {
      Range.check("--episodes", episodes, 0, Range.MAX_EPISODES);
    }
    if (samples != null && episodes != null && episodes > 0) {
      throw UserError.invalid(
          "--episodes: the samples say nothing of other states, so there is no return to report;"
              + " --film shows the policy");
    }
  }

  private Task named(World world) {
    try {
      return world.task(task);
    } catch (UserError unknown) {
      try {
        world.taskOrFormula(task);
      } catch (UserError neither) {
        throw unknown;
      }
      throw UserError.invalid(
          "--task: %s has no task '%s', but that is a formula: give it by --reward",
          world.name(), task);
    }
  }

  private Prompt prompt(ZeroShotAgent agent, String goal, String reward) {
    World world = agent.environment();
    if (vectors != null) {
      return VectorFile.read(vectors, task, agent);
    }
    if (task != null) {
      Task asked = named(world);
      return agent.takesEpisodeGoals() && world.concernsEpisodeGoal(asked)
          ? drawnGoal(world, asked)
          : new Prompt.Reward(asked);
    }
    if (reward != null) {
      if (isFile(reward)) {
        throw UserError.invalid(
            "--reward: %s is a file of rewards, which are for grids, one for each state; give a formula"
                + " of %s, or --samples FILE with states and their rewards",
            reward, world.name());
      }
      return new Prompt.Reward(payable(world.taskOrFormula(reward), agent));
    }
    if (goal != null && PromptFile.isNumbers(goal)) {
      return PromptFile.goal(goal, agent);
    }
    if (goal != null) {
      Path file = Path.of(goal);
      String commas = goal.strip().replaceAll("\\s+", ",");
      if (!Files.exists(file) && PromptFile.isNumbers(commas)) {
        throw UserError.argument("goal", "numbers have commas between them: --goal %s", commas);
      }
      return PromptData.isDataset(file)
          ? PromptData.goal(file, row, world)
          : PromptFile.goal(file, world);
    }
    if (demo != null) {
      return PromptData.isDataset(demo)
          ? PromptData.demonstration(demo, episode == null ? 0 : episode, world, window)
          : PromptFile.demonstration(demo, world, window);
    }
    return PromptData.isDataset(samples)
        ? PromptData.samples(samples, world)
        : PromptFile.samples(samples, world);
  }

  /** Where there is no such file the name tells: no formula ends so. */
  private static boolean isFile(String reward) {
    return reward.matches("(?i).*\\.(csv|npy|npz|json|txt)")
        || Files.isRegularFile(Path.of(reward));
  }

  /** The goal of the episode that will be played and filmed. */
  private Prompt drawnGoal(World world, Task asked) {
    if (episodes != null && episodes > 1) {
      throw UserError.invalid(
          "--episodes: each episode draws a goal of its own for task %s, and one is solved; evaluate"
              + " --goals N plays many",
          asked.name());
    }
    EpisodeGoal goal = world.episodeGoal().orElseThrow();
    try (Environment environment = CheckedEnvironment.open(world)) {
      environment.reset(Seeds.generator(Seeds.mix(startSeed, 0, "starts")));
      float[] place = GoalEvaluation.place(goal, environment);
      return new Prompt.Goal(
          place, "%s, at %s".formatted(asked.name(), shown(place)), Optional.empty());
    }
  }

  private static Task payable(Task task, ZeroShotAgent agent) {
    World world = agent.environment();
    if (agent.takesEpisodeGoals() && world.concernsEpisodeGoal(task)) {
      throw UserError.invalid(
          "--reward: '%s' speaks of the goal that each episode draws, of which states of the data say"
              + " nothing; give that goal as --goal %s, or --task for the goal of the episode that is"
              + " played",
          task.name(),
          world.episodeGoal().orElseThrow().place().stream()
              .map(axis -> axis.name().toUpperCase(Locale.ROOT))
              .collect(Collectors.joining(",")));
    }
    return task;
  }

  private static void warnOfConstant(ZeroShotAgent agent, Prompt prompt, Output output) {
    double[] rewards =
        prompt instanceof Prompt.Reward paid
            ? agent.rewards(paid.task())
            : prompt instanceof Prompt.Samples labelled ? labelled.rewards() : new double[0];
    SolveCommand.warnOfConstant(rewards, output);
  }

  private static String shown(float[] action) {
    return IntStream.range(0, action.length)
        .mapToObj(i -> Wording.format("%.4g", action[i]))
        .collect(Collectors.joining(", "));
  }

  private void play(
      ZeroShotAgent agent, PromptTrial trial, Prompt prompt, ObjectNode document, Output output) {
    int count = episodes != null ? episodes : prompt instanceof Prompt.Samples ? 0 : 1;
    if (count == 0) {
      return;
    }
    if (episodes == null) {
      try {
        agent.requireEnvironment();
      } catch (UserError missing) {
        output.note("solved, but not played: " + CommandErrors.message(missing));
        return;
      }
    }
    Map<String, List<Map<String, Double>>> played = trial.run(count, output.progress());
    document.put(Provenance.ENGINE, agent.environment().engine());
    ObjectNode episodesNode = document.putObject("episodes");
    played.forEach(
        (actor, measured) -> {
          ArrayNode list = episodesNode.putArray(actor);
          measured.forEach(each -> each.forEach(list.addObject()::put));
          for (String name : measured.get(0).keySet()) {
            output.say(line(actor, name, measured));
          }
        });
    if (!(prompt instanceof Prompt.Reward || prompt instanceof Prompt.Vector)) {
      output.say(
          "distances are in "
              + trial.distanceUnit().orElse("standard deviations of the data's observations"));
    }
  }

  /** Such as {@code agent: distance at end 0.12 ± 0.03}. */
  private static String line(String actor, String name, List<Map<String, Double>> measured) {
    double[] values = measured.stream().mapToDouble(each -> each.get(name)).toArray();
    Summary summary = Summary.of(values);
    String words = name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    String text = Wording.format("%-8s%s %.4g", actor, words, summary.mean());
    return values.length == 1
        ? text
        : String.format(
            Locale.ROOT, "%s ± %.3g over %d", text, summary.standardDeviation(), values.length);
  }

  private void film(
      PromptTrial trial,
      Prompt prompt,
      Film.Settings settings,
      ObjectNode document,
      Output output) {
    if (film == null) {
      return;
    }
    PromptTrial.Filmed filmed = trial.film(settings, film, output.progress());
    Film.Result shot = filmed.result();
    output.say(
        "filmed %s in %s: %s"
            .formatted(
                Wording.count(shot.steps(), "step"), Wording.count(shot.frames(), "frame"), film));
    document
        .putObject("film")
        .put("file", film.toString())
        .put("frames", shot.frames())
        .put("steps", shot.steps())
        .put("ghost", filmed.ghost())
        .put("target", filmed.target());
    boolean pose = prompt instanceof Prompt.Goal || prompt instanceof Prompt.Demonstration;
    if (pose && !filmed.ghost() && !filmed.target()) {
      output.note(
          "the film does not show the %s itself: observations of this environment do not determine a"
                  .formatted(prompt.kind())
              + " pose; a state or an episode of a dataset with physics does");
    }
  }

  private static void put(ArrayNode array, float[] values) {
    for (float value : values) {
      array.add(value);
    }
  }
}
