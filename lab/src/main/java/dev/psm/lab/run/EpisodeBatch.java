package dev.psm.lab.run;

import dev.psm.core.Seeds;
import dev.psm.core.env.CheckedEnvironment;
import dev.psm.core.env.Environment;
import dev.psm.core.env.VectorEnvironment;
import dev.psm.core.env.World;
import dev.psm.core.reward.Readings;
import dev.psm.lab.Progress;
import dev.psm.torch.ComputeThreads;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;

/** Episodes that are played at once, each to its end; whoever acts sees them as one batch. */
final class EpisodeBatch {
  private final World world;
  private final int count;
  private final int threads;

  /**
   * @param threads only change the speed
   */
  EpisodeBatch(World world, int count, int threads) {
    this.world = world;
    this.count = count;
    this.threads = threads;
  }

  /** Looks at an episode; different ones may be looked at by several threads at once. */
  @FunctionalInterface
  interface Visitor {
    /** In every state that an action led to, except one that blew up. */
    void visit(int episode, Readings state);
  }

  /** Acts in episodes that have begun. */
  @FunctionalInterface
  interface Opening extends Function<VectorEnvironment<Environment>, UnaryOperator<float[]>> {}

  /**
   * Plays.
   *
   * @param seed draws the starts: those of {@link dev.psm.lab.RandomEpisodes}
   * @param starts which start an episode has
   * @param opening from environments whose episodes have begun to the policy: all observations, row
   *     by row, to all actions
   * @param stop asked before every step
   * @return how many episodes were cut short because the simulation blew up; empty where it was
   *     stopped
   */
  OptionalLong play(
      long seed,
      IntUnaryOperator starts,
      Opening opening,
      Visitor visitor,
      Progress progress,
      BooleanSupplier stop) {
    boolean[] over = new boolean[count];
    long divergences = 0;
    try (VectorEnvironment<Environment> environments =
            new VectorEnvironment<>(
                world,
                count,
                threads,
                i -> CheckedEnvironment.open(world),
                i -> state -> see(i, state, over, visitor));
        Progress.Bar bar = progress.start("evaluate " + world.name(), world.episodeSteps())) {
      float[] observations =
          environments.reset(i -> Seeds.mix(seed, starts.applyAsInt(i), "starts"));
      UnaryOperator<float[]> policy = opening.apply(environments);
      // Waking other threads for so small a batch, a thousand times between steps of the physics,
      // hardly pays, and takes minutes where another process wants the cores.
      try (ComputeThreads alone = new ComputeThreads(1)) {
        for (int step = 1; step <= world.episodeSteps(); step++) {
          if (stop.getAsBoolean()) {
            return OptionalLong.empty();
          }
          VectorEnvironment.Batch batch = environments.step(policy.apply(observations));
          for (int i = 0; i < count; i++) {
            if (!over[i]) {
              over[i] = batch.ended(i);
              divergences += batch.diverged()[i] ? 1 : 0;
            }
          }
          observations = batch.observations();
          bar.update(step, "");
        }
      }
    }
    return OptionalLong.of(divergences);
  }

  /** An episode that has ended is followed by another one, which does not count. */
  private static double see(int episode, Readings state, boolean[] over, Visitor visitor) {
    if (!over[episode]) {
      visitor.visit(episode, state);
    }
    return 0;
  }
}
