package dev.psm.app;

import dev.psm.core.Nearest;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.lab.Film;
import dev.psm.lab.RandomEpisodes;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "film",
    mixinStandardHelpOptions = true,
    description =
        "Film an environment under random or zero actions as an animated GIF; needs no graphics card and no display.")
final class EnvFilmCommand implements Callable<Integer> {
  private static final List<String> POLICIES = List.of("random", "zero");

  @Mixin private Output output;

  @Parameters(paramLabel = "NAME", description = "See env list.")
  private String name;

  @Option(
      names = "--task",
      paramLabel = "NAME",
      description = "Whose reward is shown (default: the first one).")
  private String task;

  @Option(
      names = "--policy",
      paramLabel = "random|zero",
      defaultValue = "random",
      description = "Uniformly random actions, or zeros (default: ${DEFAULT-VALUE}).")
  private String policy;

  @Option(names = "--out", required = true, paramLabel = "FILE.gif", description = "The film.")
  private Path out;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "8",
      description = "How long, in the robot's time (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--width",
      paramLabel = "N",
      defaultValue = "480",
      description = "Pixels (default: ${DEFAULT-VALUE}).")
  private int width;

  @Option(
      names = "--height",
      paramLabel = "N",
      defaultValue = "360",
      description = "Pixels (default: ${DEFAULT-VALUE}).")
  private int height;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Draws the start and the actions (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() {
    World world = Worlds.named(name);
    if (!POLICIES.contains(policy)) {
      throw UserError.invalid(
          "--policy: expected random or zero, found '%s'; %s",
          policy, Nearest.hint(policy, POLICIES));
    }
    Destination.file("--out", out, ".gif");
    Film.Settings settings = new Film.Settings(width, height, seconds, seed);
    String actions = policy.equals("zero") ? "zero actions" : "random actions";
    Film.Result result =
        Film.shoot(world, task(world), policy(world), actions, settings, out, output.progress());
    output.say(
        "filmed %s, %s of %s in %s: %s"
            .formatted(
                actions,
                Wording.count(result.steps(), "step"),
                world.name(),
                Wording.count(result.frames(), "frame"),
                out));
    output.finish(
        Json.object()
            .put("env", world.name())
            .put("task", task(world).name())
            .put("policy", policy)
            .put("frames", result.frames())
            .put("steps", result.steps())
            .put("reward", result.reward())
            .put("file", out.toString()));
    return 0;
  }

  /** As asked for; else the first there is. */
  private Task task(World world) {
    if (task != null) {
      return world.taskOrFormula(task);
    }
    return world.tasks().isEmpty() ? Task.unpaid(world.name()) : world.tasks().get(0);
  }

  private Film.Policy policy(World world) {
    float[] action = new float[world.actionSize()];
    if (policy.equals("zero")) {
      return observation -> action;
    }
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, 0, "actions"));
    return observation -> {
      RandomEpisodes.draw(world, random, action);
      return action;
    };
  }
}
