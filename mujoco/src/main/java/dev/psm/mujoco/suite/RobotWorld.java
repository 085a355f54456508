package dev.psm.mujoco.suite;

import dev.psm.core.UserError;
import dev.psm.core.env.Environment;
import dev.psm.core.env.EpisodeGoal;
import dev.psm.core.env.Plane;
import dev.psm.core.env.Region;
import dev.psm.core.env.Space;
import dev.psm.core.env.Volume;
import dev.psm.core.env.World;
import dev.psm.core.env.WorldSource;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.mujoco.MujocoLibrary;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A robot on MuJoCo as a world: what can be said of it without loading the engine, and how to make
 * one.
 *
 * @param sizes of all that has one
 * @param place the quantities that say where it is, for distances; empty where none do
 * @param tasks the first one is the default
 * @param maker makes a new, independent instance
 */
public record RobotWorld(
    String name,
    String title,
    Sizes sizes,
    List<Quantity> quantities,
    List<Quantity> place,
    List<Task> tasks,
    Habits habits,
    Supplier<Domain> maker)
    implements World {

  /**
   * Numbers that a robot has.
   *
   * @param discreteActions how many numbered actions there are; 0 when actions are vectors
   * @param substeps engine steps per control step
   * @param physics numbers in a stored state: {@code qpos, qvel, act}, as ExoRL keeps them
   */
  public record Sizes(
      int observation,
      int action,
      int discreteActions,
      int substeps,
      double controlTimestep,
      int episodeSteps,
      int physics) {}

  /**
   * What is customary with a robot.
   *
   * @param aliases other names by which it is known
   * @param regions whose shares of the data are told
   * @param volume whose cells are counted in data, where there is one
   * @param goal that episodes draw for themselves, where they do: the first numbers of an
   *     observation are to become it
   * @param furtherTasks that are named but in no average
   */
  public record Habits(
      double discount,
      List<String> examples,
      Plane plane,
      List<Region> regions,
      List<String> aliases,
      Optional<Volume> volume,
      Optional<EpisodeGoal> goal,
      List<Task> furtherTasks) {

    Habits(double discount, String example, Plane plane) {
      this(discount, List.of(example), plane, List.of(), List.of());
    }

    public Habits(
        double discount,
        List<String> examples,
        Plane plane,
        List<Region> regions,
        List<String> aliases) {
      this(
          discount,
          examples,
          plane,
          regions,
          aliases,
          Optional.empty(),
          Optional.empty(),
          List.of());
    }

    Habits with(Volume counted) {
      return new Habits(
          discount, examples, plane, regions, aliases, Optional.of(counted), goal, furtherTasks);
    }

    Habits towards(EpisodeGoal drawn) {
      return new Habits(
          discount, examples, plane, regions, aliases, volume, Optional.of(drawn), furtherTasks);
    }

    Habits withFurtherTasks(List<Task> further) {
      return new Habits(discount, examples, plane, regions, aliases, volume, goal, further);
    }
  }

  /** Every robot of the suite, in the paper's order. */
  public static final class Source implements WorldSource {
    @Override
    public List<World> worlds() {
      return List.of(
          Walker.WORLD,
          Cheetah.WORLD,
          Quadruped.WORLD,
          PointMassMaze.WORLD,
          FetchReach.WORLD,
          FetchReach.DISCRETE_WORLD);
    }
  }

  @Override
  public int observationSize() {
    return sizes.observation;
  }

  /** Vectors, of which each actuator's own range follows, or numbers. */
  @Override
  public Space actionSpace() {
    return sizes.discreteActions > 0
        ? new Space.Discrete(sizes.discreteActions)
        : Space.Box.uniform(-1, 1, sizes.action);
  }

  @Override
  public int episodeSteps() {
    return sizes.episodeSteps;
  }

  @Override
  public double stepSeconds() {
    return sizes.controlTimestep;
  }

  @Override
  public int stateSize() {
    return sizes.physics;
  }

  @Override
  public int[] achievedGoal() {
    return habits
        .goal
        .map(goal -> IntStream.range(0, goal.place().size()).toArray())
        .orElseGet(World.super::achievedGoal);
  }

  @Override
  public Optional<EpisodeGoal> episodeGoal() {
    return habits.goal;
  }

  @Override
  public List<Task> furtherTasks() {
    return habits.furtherTasks;
  }

  @Override
  public List<String> examples() {
    return habits.examples;
  }

  @Override
  public double discount() {
    return habits.discount;
  }

  @Override
  public Optional<Plane> plane() {
    return Optional.of(habits.plane);
  }

  @Override
  public Optional<Volume> volume() {
    return habits.volume;
  }

  @Override
  public List<Region> regions() {
    return habits.regions;
  }

  @Override
  public List<String> aliases() {
    return habits.aliases;
  }

  /** {@inheritDoc} None where there is no engine on this machine. */
  @Override
  public String engine() {
    try {
      return MujocoLibrary.load().engine();
    } catch (UserError e) {
      return "none";
    }
  }

  /** The robot alone, without episodes. */
  public Domain openDomain() {
    return maker.get();
  }

  @Override
  public Environment open() {
    return new PhysicsEnvironment(openDomain());
  }
}
