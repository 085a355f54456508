package dev.psm.agents.training;

import dev.psm.core.Seeds;
import dev.psm.core.data.Dataset;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The random inputs of a block of steps, drawn on the device itself by libtorch's generators: the
 * distributions of {@link RandomInputs}, other numbers. What a seed draws in a block depends on
 * nothing but the seed, the block and the kind of draw.
 */
final class RandomInputBlock implements AutoCloseable {
  /** Enough to make the host's part small; 190 MB for five seeds of paper size. */
  static final int STEPS = 64;

  private final List<Long> seeds;
  private final Device device;
  private final DrawSizes sizes;
  private final int batch;

  /** The row of every transition's first state. */
  private final Tensor transitionRows;

  /** The last row of every row's episode; made when goals are first drawn. */
  private Tensor lastRows;

  /** The rows from which enough transitions lead on; made when windows are first drawn. */
  private Tensor windowRows;

  private final Transitions transitions;
  private final Map<Draw, Tensor> drawn = new EnumMap<>(Draw.class);
  private final Set<Draw> current = EnumSet.noneOf(Draw.class);
  private long block = -1;

  RandomInputBlock(List<Long> seeds, Experience data, DrawSizes sizes) {
    this.seeds = seeds;
    this.transitions = data.transitions();
    this.device = data.device();
    this.sizes = sizes;
    this.batch = sizes.batch();
    this.transitionRows = placed(transitions.starts(1).rows());
  }

  private Tensor lastRows() {
    Dataset dataset = transitions.dataset();
    long[] last = new long[Math.toIntExact(dataset.rows())];
    for (int episode = 0; episode < dataset.episodes(); episode++) {
      for (long row = dataset.firstRow(episode); row <= dataset.lastRow(episode); row++) {
        last[(int) row] = dataset.lastRow(episode);
      }
    }
    return placed(last);
  }

  private Tensor placed(long[] values) {
    try (PointerScope scope = new PointerScope()) {
      return device.place(Tensors.longs(values, values.length)).retainReference();
    }
  }

  /** Draws what is needed of a block, where that is not there yet. */
  void load(long wanted, Set<Draw> needs) {
    if (wanted != block) {
      current.clear();
      block = wanted;
    }
    // Goals follow from rows.
    if (needs.contains(Draw.ROWS)) {
      load(Draw.ROWS);
    }
    needs.forEach(this::load);
  }

  private void load(Draw draw) {
    if (!current.add(draw)) {
      return;
    }
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      TensorVector perSeed = new TensorVector();
      for (int seed = 0; seed < seeds.size(); seed++) {
        torch.manual_seed(Seeds.mix(seeds.get(seed), block, draw.name()));
        perSeed.push_back(draw(draw, seed));
      }
      Tensor all = torch.stack(perSeed, 1);
      Tensor place = drawn.get(draw);
      if (place == null) {
        drawn.put(draw, all.retainReference());
      } else {
        // The same memory as before: recorded steps read from there.
        place.copy_(all);
      }
    }
  }

  /** Of one seed: steps × batch × …. */
  private Tensor draw(Draw draw, int seed) {
    return switch (draw) {
      case ROWS -> anyOf(transitionRows, batch);
      case COLUMNS -> anyOf(transitionRows, sizes.columns());
      case WINDOWS -> windows();
      case CODES -> whole(RandomInputs.CODE_COUNT, batch);
      case GOALS -> goals(drawn.get(Draw.ROWS).select(1, seed));
      case PERMUTATION -> uniform(STEPS, batch).argsort(-1, false);
      case MIXED ->
          uniform(STEPS, batch, 1).lt(Tensors.scalar(sizes.goalShare())).to(torch.ScalarType.Float);
      case REWARDS -> uniform(STEPS, batch, Draw.REWARD_NUMBERS);
      case TASK_NOISE -> normal(sizes.featureDimension());
      case NEXT_NOISE, ACTOR_NOISE -> normal(sizes.actionSize());
    };
  }

  private Tensor anyOf(Tensor rows, int count) {
    return rows.index_select(0, whole(rows.numel(), count).view(-1)).view(STEPS, count);
  }

  private Tensor windows() {
    if (windowRows == null) {
      windowRows = placed(transitions.starts(sizes.window()).rows());
    }
    return anyOf(windowRows, batch);
  }

  private Tensor whole(long bound, int count) {
    return torch.randint(bound, new long[] {STEPS, count}, device.longs());
  }

  private Tensor uniform(long... shape) {
    return torch.rand(shape, device.floats());
  }

  private Tensor normal(int width) {
    return torch.randn(new long[] {STEPS, batch, width}, device.floats());
  }

  /** The first state of any transition, or a later state that transitions lead to. */
  private Tensor goals(Tensor rows) {
    if (lastRows == null) {
      lastRows = lastRows();
    }
    Tensor anywhere = draw(Draw.ROWS, 0);
    Tensor last = lastRows.index_select(0, rows.reshape(-1)).view(STEPS, batch);
    // The inverse of the distribution function of the number of transitions.
    Tensor count =
        uniform(STEPS, batch)
            .neg()
            .log1p()
            .div(Tensors.scalar(transitions.stride() * Math.log(RandomInputs.FUTURE_DISCOUNT)))
            .to(torch.ScalarType.Long)
            .add(Tensors.whole(1));
    Scalar stride = Tensors.whole(transitions.stride());
    Tensor lastReached = last.sub(last.sub(rows).remainder(stride));
    Tensor later = torch.minimum(rows.add(count.mul(stride)), lastReached);
    return torch.where(
        uniform(STEPS, batch).lt(Tensors.scalar(RandomInputs.RANDOM_GOAL_SHARE)), anywhere, later);
  }

  /**
   * What one step of the block takes.
   *
   * @param cursor its place in the block, on the device
   */
  StepInputs at(Tensor cursor, Set<Draw> needs) {
    Map<Draw, Tensor> tensors = new EnumMap<>(Draw.class);
    for (Draw draw : needs) {
      tensors.put(draw, drawn.get(draw).index_select(0, cursor).squeeze(0));
    }
    return new StepInputs(tensors);
  }

  @Override
  public void close() {
    drawn.values().forEach(Tensor::close);
    transitionRows.close();
    if (lastRows != null) {
      lastRows.close();
    }
    if (windowRows != null) {
      windowRows.close();
    }
  }
}
