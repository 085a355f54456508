package dev.psm.agents.discrete;

import dev.psm.torch.PairMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * What tasks pay in the long run, before coordinates are chosen: Σ_k r_k [Φ, b](s, a, s⁺_k) over a
 * task's supports. Pairs (s, s⁺_k) of all rows are one list, computed some at a time.
 */
final class SupportSums {
  /** Pairs that are computed at once. */
  private static final int PAIRS_AT_ONCE = 1 << 14;

  private final MeasureNetwork.Layout layout;
  private final Parameters measure;
  private final ObservationCode code;
  private final SupportedTasks tasks;

  SupportSums(
      MeasureNetwork.Layout layout,
      Parameters measure,
      ObservationCode code,
      SupportedTasks tasks) {
    this.layout = layout;
    this.measure = measure;
    this.code = code;
    this.tasks = tasks;
  }

  /** Of rows that have an observation and a task each: rows × actions × (d + 1). */
  Tensor of(float[] observations, float[] prompts) {
    int rows = observations.length / code.size();
    return sums(observations, rows, i -> i, prompts, i -> i);
  }

  /** Of every task in every state: tasks × (states · actions) × (d + 1). */
  Tensor everywhere(float[] states, float[] prompts, int count) {
    int perTask = states.length / code.size();
    return sums(states, count * perTask, i -> i % perTask, prompts, i -> i / perTask)
        .view(count, (long) perTask * layout.actions(), layout.coordinates());
  }

  /** Φ and b between all of some states: triples × (d + 1). */
  Tensor between(float[] states) {
    long count = states.length / code.size();
    Tensor observed = Tensors.floats(states, 1, count, code.size());
    Tensor left = layout.left(measure, code.states(observed));
    Tensor right = layout.right(measure, code.wholes(observed));
    TensorVector parts = new TensorVector();
    long atOnce = Math.max(1, PAIRS_AT_ONCE / count);
    for (long from = 0; from < count; from += atOnce) {
      long rows = Math.min(atOnce, count - from);
      Tensor flat =
          layout
              .hidden(measure, new PairMlp.Mesh(left.narrow(1, from, rows), right, null))
              .view(1, -1, layout.width());
      parts.push_back(
          layout
              .basis(measure, flat, torch.ones_like(flat.narrow(2, 0, 1)))
              .view(-1, layout.coordinates()));
    }
    return torch.cat(parts, 0);
  }

  /**
   * @param stateOf which of the observations a row has
   * @param promptOf which of the tasks
   */
  private Tensor sums(
      float[] observations,
      int rows,
      IntUnaryOperator stateOf,
      float[] prompts,
      IntUnaryOperator promptOf) {
    Tensor left =
        layout
            .left(measure, code.states(Tensors.floats(observations, 1, -1, code.size())))
            .squeeze(0);
    Tensor sums = torch.zeros(rows, layout.width());
    Tensor weights = torch.zeros(rows, 1);
    Pairs pairs = new Pairs(Math.min(PAIRS_AT_ONCE, Math.multiplyExact(rows, tasks.supports())));
    for (int row = 0; row < rows; row++) {
      for (int support = 0; support < tasks.supports(); support++) {
        int at = tasks.support(promptOf.applyAsInt(row), support);
        if (prompts[at] != 0) {
          if (pairs.isFull()) {
            pairs.addTo(sums, weights, left);
          }
          pairs.put(row, stateOf.applyAsInt(row), prompts, at);
        }
      }
    }
    pairs.addTo(sums, weights, left);
    return layout.basis(measure, sums.unsqueeze(0), weights.unsqueeze(0)).squeeze(0);
  }

  /** States with supports, some at a time. */
  private final class Pairs {
    private final long[] rows;
    private final long[] observed;
    private final float[] paid;
    private final float[] codes;
    private int count;

    Pairs(int most) {
      rows = new long[most];
      observed = new long[most];
      paid = new float[most];
      codes = new float[most * tasks.codeSize()];
    }

    boolean isFull() {
      return count == rows.length;
    }

    void put(int row, int state, float[] prompts, int at) {
      rows[count] = row;
      observed[count] = state;
      paid[count] = prompts[at];
      System.arraycopy(prompts, at + 1, codes, count * tasks.codeSize(), tasks.codeSize());
      count++;
    }

    /** Adds what they pay to the sums of their rows, and forgets them. */
    void addTo(Tensor sums, Tensor weights, Tensor left) {
      if (count == 0) {
        return;
      }
      try (PointerScope scope = new PointerScope()) {
        Tensor row = Tensors.longs(Arrays.copyOf(rows, count), count);
        Tensor state = Tensors.longs(Arrays.copyOf(observed, count), count);
        Tensor weight = Tensors.floats(Arrays.copyOf(paid, count), count, 1);
        Tensor entered =
            Tensors.floats(
                Arrays.copyOf(codes, count * tasks.codeSize()), 1, count, tasks.codeSize());
        Tensor hidden =
            layout
                .hidden(
                    measure,
                    new PairMlp.Mesh(
                        left.index_select(0, state).unsqueeze(0),
                        null,
                        layout.right(measure, entered).unsqueeze(2)))
                .view(count, layout.width());
        sums.index_add_(0, row, hidden.mul(weight));
        weights.index_add_(0, row, weight);
      }
      count = 0;
    }
  }
}
