package dev.psm.studio.body;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Model;
import dev.psm.core.env.Environment;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.io.TensorData;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A world of a user's own that does the least that a world has to do, and may break. */
final class PlainWorldTest {
  private static final Quantity X = new Quantity("x", "m", "the place");
  private static final String UPWARD =
      "{\"type\":\"prompt\",\"lane\":0,\"id\":1,\"prompt\":{\"kind\":\"reward\",\"text\":\"x\"}}";

  /** What happens in its fifth step. */
  private enum Fifth {
    TERMINATES,
    TIME_IS_UP,
    BLOWS_UP,
    BREAKS
  }

  private static void watch(Fifth fifth, Consumer<Witness> claim) {
    QuantityTable table = new QuantityTable(List.of(X), 3);
    System.arraycopy(new double[] {-1, 0, 1}, 0, table.column(X), 0, 3);
    ZeroShotAgent agent =
        new ZeroShotAgent(
            "psm",
            new Steps(),
            new Line(fifth),
            new InferenceSample(new float[] {-1, 0, 1}, Optional.of(table)));
    Witness witness = new Witness();
    try (BodySession session = new BodySession(() -> agent, new Uploads(), witness, () -> {})) {
      session.start();
      ObjectNode scene = witness.heard("scene");
      assertFalse(scene.has("shapes"), "nothing to draw");
      session.receive(UPWARD);
      witness.heard("policy");
      claim.accept(witness);
    }
  }

  @Test
  void goesOnInAnotherEpisodeAfterTheWorldEnded() {
    watch(
        Fifth.TERMINATES,
        witness -> {
          ReadFrame first = witness.seen("a step", each -> each.lane().elapsed() == 2);
          assertEquals(2, first.lane().values()[0], "the reward is x");
          witness.seen("more", each -> each.lane().episode() > first.lane().episode() + 1);
        });
  }

  @Test
  void goesOnInAnotherEpisodeWhereNoneCanBeginHere() {
    watch(Fifth.TIME_IS_UP, witness -> witness.seen("more", each -> each.lane().episode() > 3));
  }

  @Test
  void saysThatASimulationBlewUp() {
    watch(
        Fifth.BLOWS_UP,
        witness -> {
          assertTrue(witness.heard("note").path("text").asText().contains("blew up"));
          witness.seen("more", each -> each.lane().episode() > 3);
        });
  }

  @Test
  void stopsInWordsWhereTheWorldBreaks() {
    watch(
        Fifth.BREAKS,
        witness -> {
          ObjectNode error = witness.heard("error");
          assertEquals("step", error.path("about").asText());
          assertEquals("stopped: the line is torn", error.path("message").asText());
          ReadFrame stopped = witness.seen("a frame", each -> true);
          assertEquals(0, stopped.lane().elapsed(), "at the beginning of another episode");
        });
  }

  /** A place on a line that actions move. */
  private record Line(Fifth fifth) implements World {
    @Override
    public String name() {
      return "line";
    }

    @Override
    public String title() {
      return "a line";
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
      return 5;
    }

    @Override
    public double stepSeconds() {
      return 0.02;
    }

    @Override
    public List<Quantity> quantities() {
      return List.of(X);
    }

    @Override
    public Environment open() {
      return new Environment() {
        private double x;
        private int steps;

        @Override
        public float[] reset(RandomGenerator random) {
          x = 0;
          steps = 0;
          return new float[] {0};
        }

        @Override
        public Step step(float[] action) {
          x += action[0];
          boolean last = ++steps == 5;
          if (last && fifth == Fifth.BREAKS) {
            throw new IllegalStateException("the line is torn");
          }
          return new Step(
              new float[] {(float) x},
              last && fifth == Fifth.TERMINATES,
              last && fifth != Fifth.TERMINATES,
              last && fifth == Fifth.BLOWS_UP);
        }

        @Override
        public double get(Quantity quantity) {
          return x;
        }
      };
    }
  }

  /** Steps the way that pays. */
  private static final class Steps implements Model {
    @Override
    public Record shape() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int observationSize() {
      return 1;
    }

    @Override
    public int featureDimension() {
      return 1;
    }

    @Override
    public int taskSize() {
      return 1;
    }

    @Override
    public float[] features(float[] observations) {
      return observations.clone();
    }

    @Override
    public float[] taskVector(float[] phi, double[] rewards) {
      return new float[] {rewards[2] > rewards[0] ? 1 : -1};
    }

    @Override
    public float[] goalVectors(float[] phi, float[] goals) {
      return goals.clone();
    }

    @Override
    public float[] act(float[] observations, float[] tasks) {
      return tasks.clone();
    }

    @Override
    public Map<String, TensorData> tensors() {
      return Map.of();
    }

    @Override
    public void close() {}
  }
}
