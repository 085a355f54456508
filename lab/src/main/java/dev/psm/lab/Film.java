package dev.psm.lab;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.env.CheckedEnvironment;
import dev.psm.core.env.Environment;
import dev.psm.core.env.World;
import dev.psm.core.reward.Task;
import dev.psm.core.scene.Placed;
import dev.psm.view.render.GifWriter;
import dev.psm.view.render.Renderer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** Films an environment while a policy acts in it, in real time, as an animated GIF. */
public final class Film {
  private static final int LONGEST_SECONDS = 3600;

  /** Chooses actions from observations. */
  @FunctionalInterface
  public interface Policy {
    float[] act(float[] observation);
  }

  /** Begins the episodes of a film: number 0, then another whenever one has ended. */
  @FunctionalInterface
  public interface Opening {
    float[] begin(Environment environment, int episode);
  }

  /** What is shown beside the robot: where it should be. */
  @FunctionalInterface
  public interface Target {
    /** Shows nothing. */
    Target NONE = (environment, step) -> List.of();

    /** After so many steps of an episode. */
    List<Placed> at(Environment environment, int step);
  }

  /**
   * How it is filmed.
   *
   * @param seconds of the robot's time
   * @param seed draws the start
   */
  public record Settings(int width, int height, double seconds, long seed) {
    public Settings {
      Renderer.checkSize(width, height);
      if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
        throw UserError.argument(
            "seconds", "expected a number above 0, at most %d, found %s", LONGEST_SECONDS, seconds);
      }
    }
  }

  /** What came of it: frames, and the reward of the whole film. */
  public record Result(int frames, int steps, double reward) {}

  private Film() {}

  /** Refuses a world that nobody draws. */
  public static void requireScenery(World world, Task task) {
    try (Environment environment = CheckedEnvironment.open(world)) {
      environment.reset(Seeds.generator(0));
      Shot.scenery(world, environment, task);
    }
  }

  /**
   * Acts and films; when an episode ends before the film does, the next one begins.
   *
   * @param actions what the caption calls them, since they pursue nothing
   */
  public static Result shoot(
      World world,
      Task task,
      Policy policy,
      String actions,
      Settings settings,
      Path file,
      Progress progress) {
    RandomGenerator random = Seeds.generator(settings.seed);
    Opening opening = (environment, episode) -> environment.reset(random);
    return shoot(world, task, opening, policy, Target.NONE, actions, settings, file, progress);
  }

  /** The same, with episodes that begin as the caller has it; the seed is not looked at. */
  public static Result shoot(
      World world,
      Task task,
      Opening opening,
      Policy policy,
      Target target,
      Settings settings,
      Path file,
      Progress progress) {
    return shoot(world, task, opening, policy, target, "", settings, file, progress);
  }

  private static Result shoot(
      World world,
      Task task,
      Opening opening,
      Policy policy,
      Target target,
      String actions,
      Settings settings,
      Path file,
      Progress progress) {
    int stepsPerFrame = Shot.stepsPerFrame(world);
    double frameSeconds = stepsPerFrame * world.stepSeconds();
    int frames = Math.max(1, (int) Math.round(settings.seconds / frameSeconds));
    try (Environment environment = CheckedEnvironment.open(world);
        Progress.Bar bar = progress.start("film", frames)) {
      Shooting shooting =
          new Shooting(world, environment, task, opening, policy, target, actions, settings);
      GifWriter.save(
          file,
          settings.width,
          settings.height,
          Shot.delay(world),
          gif -> {
            for (int frame = 0; frame < frames; frame++) {
              shooting.frame(gif);
              shooting.advance(stepsPerFrame);
              bar.update(frame + 1, "");
            }
          });
      return new Result(frames, shooting.steps, shooting.total);
    }
  }

  /** The reward, by its name or formula; below it how far this is and what was paid last. */
  static String caption(Task task, String actions, int step, double reward) {
    boolean paid = !task.formula().equals(Task.unpaid("").formula());
    return String.format(
        Locale.ROOT,
        "%s%s\nstep %d%s",
        actions.isEmpty() ? "" : actions + ": ",
        task.name().replaceAll("\\s+", " "),
        step,
        paid ? String.format(Locale.ROOT, "  reward %.2f", reward) : "");
  }

  /** A film in the making. */
  private static final class Shooting {
    private final World world;
    private final Environment environment;
    private final Task task;
    private final Opening opening;
    private final Policy policy;
    private final Target target;
    private final String actions;
    private final Renderer renderer;
    private float[] observation;
    private Shot shot;
    private int episodes;
    private int elapsed;
    private double reward;
    private int steps;
    private double total;

    Shooting(
        World world,
        Environment environment,
        Task task,
        Opening opening,
        Policy policy,
        Target target,
        String actions,
        Settings settings) {
      this.world = world;
      this.task = task;
      this.environment = environment;
      this.opening = opening;
      this.policy = policy;
      this.target = target;
      this.actions = actions;
      this.renderer = new Renderer(settings.width, settings.height);
      begin();
    }

    private void begin() {
      observation = opening.begin(environment, episodes++);
      shot = new Shot(world, environment, task, renderer);
      elapsed = 0;
      reward = 0;
    }

    void frame(GifWriter gif) throws IOException {
      String caption = caption(task, actions, elapsed, reward);
      gif.add(shot.frame(caption, target.at(environment, elapsed)));
    }

    void advance(int count) {
      for (int i = 0; i < count; i++) {
        Environment.Step step = environment.step(policy.act(observation));
        observation = step.observation();
        reward = step.diverged() ? 0 : task.reward(environment);
        total += reward;
        elapsed++;
        steps++;
        if (step.ended()) {
          begin();
        }
      }
    }
  }
}
