package dev.psm.agents.training;

import dev.psm.core.Seeds;
import dev.psm.torch.Tensors;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;

/**
 * Draws the random inputs of gradient steps. What a seed draws at a step depends on nothing but the
 * seed, the step and the kind of draw: so a run that was interrupted goes on with the draws it
 * would have had, and seeds side by side have those they would have alone.
 */
public final class RandomInputs {
  private final List<Long> seeds;
  private final Transitions transitions;
  private final Starts starts;
  private final Starts windows;
  private final DrawSizes sizes;
  private final int batch;

  /** Codes are whole numbers below this. */
  public static final int CODE_COUNT = 1 << 16;

  /** How goals are drawn: HILP's numbers. */
  static final double RANDOM_GOAL_SHARE = 0.375;

  static final double FUTURE_DISCOUNT = 0.99;

  public RandomInputs(List<Long> seeds, Experience data, DrawSizes sizes) {
    this.transitions = data.transitions();
    this.starts = transitions.starts(1);
    this.windows = transitions.starts(sizes.window());
    this.seeds = List.copyOf(seeds);
    this.sizes = sizes;
    this.batch = sizes.batch();
  }

  /** Draws what a step needs. */
  public StepInputs draw(long step, Set<Draw> needed) {
    Map<Draw, Tensor> tensors = new EnumMap<>(Draw.class);
    long[] sampled = rows(starts, step, Draw.ROWS, batch);
    for (Draw draw : needed) {
      tensors.put(draw, tensor(draw, step, sampled));
    }
    return new StepInputs(tensors);
  }

  private Tensor tensor(Draw draw, long step, long[] sampled) {
    return switch (draw) {
      case ROWS -> whole(sampled);
      case COLUMNS -> whole(rows(starts, step, draw, sizes.columns()));
      case WINDOWS -> whole(rows(windows, step, draw, batch));
      case CODES -> whole(codes(step));
      case GOALS -> whole(goals(step, sampled));
      case PERMUTATION -> whole(permutations(step));
      case MIXED -> Tensors.floats(mixed(step), seeds.size(), batch, 1);
      case REWARDS -> uniform(draw, step, Draw.REWARD_NUMBERS);
      case TASK_NOISE -> gaussian(draw, step, sizes.featureDimension());
      case NEXT_NOISE, ACTOR_NOISE -> gaussian(draw, step, sizes.actionSize());
    };
  }

  private Tensor whole(long[] values) {
    return Tensors.longs(values, seeds.size(), -1);
  }

  private RandomGenerator generator(int seed, long step, Draw draw) {
    return Seeds.generator(Seeds.mix(seeds.get(seed), step, draw.name()));
  }

  private long[] rows(Starts from, long step, Draw draw, int count) {
    long[] values = new long[seeds.size() * count];
    for (int i = 0; i < values.length; ) {
      RandomGenerator random = generator(i / count, step, draw);
      for (int end = i + count; i < end; i++) {
        values[i] = from.draw(random);
      }
    }
    return values;
  }

  private long[] codes(long step) {
    long[] values = new long[seeds.size() * batch];
    for (int i = 0; i < values.length; ) {
      RandomGenerator random = generator(i / batch, step, Draw.CODES);
      for (int end = i + batch; i < end; i++) {
        values[i] = random.nextInt(CODE_COUNT);
      }
    }
    return values;
  }

  /** The first state of any transition, or a later state that transitions lead to. */
  private long[] goals(long step, long[] sampled) {
    long[] values = new long[sampled.length];
    for (int i = 0; i < values.length; ) {
      RandomGenerator random = generator(i / batch, step, Draw.GOALS);
      for (int end = i + batch; i < end; i++) {
        values[i] =
            random.nextDouble() < RANDOM_GOAL_SHARE
                ? starts.draw(random)
                : transitions.later(sampled[i], random, FUTURE_DISCOUNT);
      }
    }
    return values;
  }

  private long[] permutations(long step) {
    long[] values = new long[seeds.size() * batch];
    for (int seed = 0; seed < seeds.size(); seed++) {
      RandomGenerator random = generator(seed, step, Draw.PERMUTATION);
      int start = seed * batch;
      for (int i = 0; i < batch; i++) {
        int j = random.nextInt(i + 1);
        values[start + i] = values[start + j];
        values[start + j] = i;
      }
    }
    return values;
  }

  private float[] mixed(long step) {
    float[] values = new float[seeds.size() * batch];
    for (int i = 0; i < values.length; ) {
      RandomGenerator random = generator(i / batch, step, Draw.MIXED);
      for (int end = i + batch; i < end; i++) {
        values[i] = random.nextDouble() < sizes.goalShare() ? 1 : 0;
      }
    }
    return values;
  }

  private Tensor uniform(Draw draw, long step, int width) {
    return numbers(draw, step, width, RandomGenerator::nextFloat);
  }

  private Tensor gaussian(Draw draw, long step, int width) {
    return numbers(draw, step, width, RandomGenerator::nextGaussian);
  }

  private Tensor numbers(
      Draw draw, long step, int width, ToDoubleFunction<RandomGenerator> number) {
    float[] values = new float[Math.multiplyExact(seeds.size(), batch * width)];
    for (int i = 0; i < values.length; ) {
      RandomGenerator random = generator(i / (batch * width), step, draw);
      for (int end = i + batch * width; i < end; i++) {
        values[i] = (float) number.applyAsDouble(random);
      }
    }
    return Tensors.floats(values, seeds.size(), batch, width);
  }
}
