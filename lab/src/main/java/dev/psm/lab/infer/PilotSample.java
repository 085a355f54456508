package dev.psm.lab.infer;

import dev.psm.agents.Model;
import dev.psm.core.Seeds;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.torch.DoubleMatrix;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The states that a {@link Pilot} looks at, with their features, in blocks: so that several threads
 * can measure them, and products with them stay in the cache.
 */
final class PilotSample implements AutoCloseable {
  /** Enough states that opening an engine for them does not show. */
  private static final int BLOCK = 1 << 13;

  private final int size;
  private final boolean whole;
  private final int threads;
  private final List<Block> blocks;

  /** Some of the states, and their features. */
  private record Block(States states, DoubleMatrix features) {}

  private PilotSample(int size, boolean whole, int threads, List<Block> blocks) {
    this.size = size;
    this.whole = whole;
    this.threads = threads;
    this.blocks = blocks;
  }

  /**
   * Draws states with a fixed seed and measures them.
   *
   * @param size of the sample; a dataset that has no more is taken whole
   * @param threads to measure on; how many does not show in the result
   */
  static PilotSample read(
      Dataset dataset, ZeroShotAgent agent, List<Quantity> wanted, int size, int threads) {
    World world = agent.environment();
    Model model = agent.model();
    int d = model.featureDimension();
    long[] rows = rows(dataset, size);
    List<Block> blocks =
        Pieces.compute(
            threads,
            (rows.length + BLOCK - 1) / BLOCK,
            block -> {
              long[] own =
                  Arrays.copyOfRange(
                      rows, block * BLOCK, Math.min(rows.length, (block + 1) * BLOCK));
              States states = States.read(dataset, world, wanted, own, 1);
              return new Block(states, DoubleMatrix.of(model.features(states.observations()), d));
            });
    return new PilotSample(rows.length, dataset.transitions() <= size, threads, blocks);
  }

  /** All that transitions led to, or a fair sample of them in their order. */
  private static long[] rows(Dataset dataset, int size) {
    if (dataset.transitions() > size) {
      RandomGenerator random = Seeds.generator(Seeds.mix(0, 0, "inference pilot"));
      return IntStream.range(0, size)
          .mapToLong(i -> dataset.drawRow(random) + 1)
          .sorted()
          .toArray();
    }
    long[] rows = new long[(int) dataset.transitions()];
    int next = 0;
    for (int episode = 0; episode < dataset.episodes(); episode++) {
      for (long row = dataset.firstRow(episode) + 1; row <= dataset.lastRow(episode); row++) {
        rows[next++] = row;
      }
    }
    return rows;
  }

  int size() {
    return size;
  }

  /** Whether it is all states that there are. */
  boolean whole() {
    return whole;
  }

  /** What a reward pays in every state. */
  double[] pay(RewardList rewards, int reward) {
    double[] paid = new double[size];
    double[] own = new double[Math.min(size, BLOCK)];
    for (int block = 0; block < blocks.size(); block++) {
      States states = blocks.get(block).states;
      int count = states.rows().length;
      rewards.pay(reward, states, 0, count, own);
      System.arraycopy(own, 0, paid, block * BLOCK, count);
    }
    return paid;
  }

  /** E[φ]: d. */
  double[] meanFeatures() {
    return mean(
        block -> {
          double[] ones = new double[block.features.rows()];
          Arrays.fill(ones, 1);
          return block.features.timesLeft(ones, 1);
        });
  }

  /** E[φφᵀ]: d × d. */
  double[] covariance() {
    return mean(block -> block.features.gram());
  }

  private interface Sum {
    double[] over(Block block);
  }

  private double[] mean(Sum sum) {
    List<double[]> sums =
        Pieces.compute(threads, blocks.size(), block -> sum.over(blocks.get(block)));
    double[] mean = new double[sums.get(0).length];
    sums.forEach(each -> add(mean, each));
    return scaled(mean);
  }

  /**
   * E[yφ] of some numbers y.
   *
   * @param values an array of {@link #size} for each of them
   * @return numbers × d
   */
  double[] meanProducts(double[][] values) {
    double[] mean = new double[values.length * blocks.get(0).features.columns()];
    double[] own = new double[values.length * Math.min(size, BLOCK)];
    for (int block = 0; block < blocks.size(); block++) {
      DoubleMatrix features = blocks.get(block).features;
      int count = features.rows();
      for (int k = 0; k < values.length; k++) {
        System.arraycopy(values[k], block * BLOCK, own, k * count, count);
      }
      add(mean, features.timesLeft(own, values.length));
    }
    return scaled(mean);
  }

  private static void add(double[] to, double[] from) {
    for (int i = 0; i < to.length; i++) {
      to[i] += from[i];
    }
  }

  private double[] scaled(double[] sums) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] /= size;
    }
    return sums;
  }

  @Override
  public void close() {
    blocks.forEach(block -> block.features.close());
  }
}
