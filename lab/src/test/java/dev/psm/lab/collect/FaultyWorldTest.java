package dev.psm.lab.collect;

import static dev.psm.lab.collect.Collecting.refused;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.psm.core.data.Dataset;
import dev.psm.core.env.Environment;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.lab.Progress;
import dev.psm.lab.RandomEpisodes;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Worlds of others that do not do what they say. */
final class FaultyWorldTest {
  @TempDir Path root;

  /**
   * Two numbers are stored of a state, as it says.
   *
   * @param states how many its environment gives
   * @param observed how many are observed after a step; one is expected
   */
  private record Cart(int steps, int states, int observed) implements World {
    @Override
    public String name() {
      return "cart";
    }

    @Override
    public String title() {
      return "a cart";
    }

    @Override
    public int observationSize() {
      return 1;
    }

    @Override
    public Space actionSpace() {
      return Space.Box.uniform(-1, 1, 1);
    }

    @Override
    public int episodeSteps() {
      return steps;
    }

    @Override
    public List<Quantity> quantities() {
      return List.of(new Quantity("x", "m", "a place"));
    }

    @Override
    public int stateSize() {
      return 2;
    }

    @Override
    public Environment open() {
      return new Environment() {
        @Override
        public float[] reset(RandomGenerator random) {
          return new float[1];
        }

        @Override
        public Step step(float[] action) {
          return new Step(new float[observed], false, true);
        }

        @Override
        public double get(Quantity quantity) {
          return 0;
        }

        @Override
        public double[] state() {
          return new double[states];
        }
      };
    }
  }

  private void collect(World world) {
    Collection.atRandom(world, new Collection.Plan(10, 2, 2, 0), root, Progress.SILENT);
  }

  /** One number too few would shift all rows that follow, and nobody would notice. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void statesOfAnotherLengthAreNotStored(int states) {
    refused(
        () -> collect(new Cart(5, states, 1)),
        "world cart: expected 2 numbers from state() of ",
        "found " + states);
    assertFalse(Dataset.isIn(root));
  }

  @Test
  void observationsOfAnotherLengthAreRefusedWhereverItIsPlayed() {
    Cart cart = new Cart(5, 2, 3);
    String told = "world cart: expected 1 number from step() of ";
    refused(() -> collect(cart), told, "found 3");
    refused(() -> RandomEpisodes.run(cart, 2, 0, 2, Progress.SILENT), told, "found 3");
  }

  @Test
  void episodesThatNobodyCanHoldAreRefused() {
    refused(
        () -> collect(new Cart(Integer.MAX_VALUE, 2, 1)),
        "world cart: episodes of 2,147,483,647 steps",
        "episodeSteps()");
  }
}
