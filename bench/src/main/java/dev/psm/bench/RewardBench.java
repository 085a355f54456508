package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Seeds;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.formula.Formula;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** How fast the reward language is. */
public final class RewardBench {
  private static final int STATES = 100_000;
  private static final int ROUNDS = 100;

  /** Twenty terms, half of them with a function that is not cheap. */
  static final String TERMS =
      String.join(
          " + ",
          "tolerance(torso_height, 1.2, inf, 0.6)",
          "0.5 * (1 + upright)",
          "tolerance(velocity_x, 1, inf, 0.5, 0.5, linear)",
          "clip(velocity_x / 4, 0, 1)",
          "tolerance(angular_momentum, 5, inf, 5, 0, linear)",
          "exp(-abs(pitch))",
          "0.1 * velocity_z ^ 2",
          "0.1 * tanh(pitch_velocity)",
          "(com_height > 0.8 && upright > 0.5)",
          "(velocity_x > 2 ? 1 : velocity_x / 2)",
          "sin(right_hip_angle)",
          "cos(left_hip_angle)",
          "0.01 * right_knee_velocity ^ 2",
          "0.01 * left_knee_velocity ^ 2",
          "min(right_ankle_angle, left_ankle_angle)",
          "max(right_hip_velocity, left_hip_velocity)",
          "sqrt(abs(com_x))",
          "log(1 + right_knee_angle ^ 2)",
          "abs(left_knee_angle) ^ 1.5",
          "tolerance(right_ankle_velocity, -1, 1, 3, 0.2, cosine)");

  private RewardBench() {}

  /** What was measured: a document, and the same for people. */
  public record Result(ObjectNode json, String text) {}

  public static Result run() {
    ObjectNode document = Json.object();
    StringBuilder text = new StringBuilder();
    speed(document.putObject("speed"), text);
    return new Result(document, text.toString().stripTrailing());
  }

  private static void speed(ObjectNode node, StringBuilder text) {
    World walker = Worlds.named("walker");
    long start = System.nanoTime();
    Formula formula = Formula.parse(TERMS, walker.vocabulary());
    double parsed = milliseconds(start);
    QuantityTable table = new QuantityTable(walker.quantities(), STATES);
    RandomGenerator random = Seeds.generator(0);
    for (int row = 0; row < STATES; row++) {
      table.measure(row, quantity -> random.nextGaussian());
    }
    double[] out = new double[STATES];
    double[] rounds = new double[ROUNDS];
    // On a busy machine, the wall's clock counts what others did; processor time does not.
    double[] own = new double[ROUNDS];
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (int round = 0; round < ROUNDS; round++) {
      long ownStart = threads.getCurrentThreadCpuTime();
      start = System.nanoTime();
      formula.values(table, 0, STATES, out);
      rounds[round] = milliseconds(start);
      own[round] = (threads.getCurrentThreadCpuTime() - ownStart) / 1e6;
    }
    double first = rounds[0];
    Arrays.sort(rounds);
    Arrays.sort(own);
    double median = rounds[ROUNDS / 2];
    node.put("states", STATES).put("terms", 20);
    node.put("threads", 1).put("parseMilliseconds", parsed);
    node.put("firstMilliseconds", first).put("medianMilliseconds", median);
    node.put("medianOwnMilliseconds", own[ROUNDS / 2]);
    node.put("fastestMilliseconds", rounds[0]).put("slowestMilliseconds", rounds[ROUNDS - 1]);
    text.append(
        String.format(
            Locale.ROOT,
            "%,d states x 20 terms on one core: %.1f ms (median of %d rounds; %.1f ms of processor time;"
                + " the first, cold, %.1f ms); read in %.1f ms%n",
            STATES,
            median,
            ROUNDS,
            own[ROUNDS / 2],
            first,
            parsed));
  }

  private static double milliseconds(long start) {
    return (System.nanoTime() - start) / 1e6;
  }
}
