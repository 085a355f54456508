package dev.psm.agents.training;

import dev.psm.torch.Device;
import dev.psm.torch.RecordedWork;
import dev.psm.torch.Tensors;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Steps that the host has no part in: random inputs and learning rates lie ready on the device for
 * a block of steps, a cursor there says which of them is next, and on a GPU the whole of a step is
 * a recording. The host only starts it.
 */
final class RecordedSteps implements AutoCloseable {
  private final GradientTrainer trainer;
  private final RandomInputBlock inputs;
  private final boolean recording;
  private final Tensor cursor;
  private final Tensor rates;
  private final Map<Set<Draw>, Kind> kinds = new HashMap<>();
  private long loadedBlock = -1;
  private long next = -1;

  /** Steps of one kind: those that need the same draws do the same. */
  private static final class Kind {
    private final RecordedWork work;
    private LazyMetrics metrics;

    Kind(RecordedWork work) {
      this.work = work;
    }
  }

  /**
   * @param recording whether steps are recorded, as they should be on a GPU, or computed one
   *     operation after the other
   */
  RecordedSteps(GradientTrainer trainer, boolean recording) {
    this.trainer = trainer;
    this.recording = recording;
    this.inputs = new RandomInputBlock(trainer.seeds(), trainer.data(), trainer.sizes());
    Device device = trainer.data().device();
    try (PointerScope scope = new PointerScope()) {
      cursor = torch.zeros(new long[] {1}, device.longs()).retainReference();
      rates =
          torch.zeros(new long[] {RandomInputBlock.STEPS, 2}, device.floats()).retainReference();
    }
  }

  void step(long step) {
    Set<Draw> needs = trainer.needs(step);
    load(step, needs);
    Kind kind =
        kinds.computeIfAbsent(
            needs, key -> new Kind(new RecordedWork(recording, () -> compute(needs))));
    switch (kind.work.run()) {
      case COMPUTED -> {}
      case RECORDED -> kind.metrics = trainer.lastMetrics().keep();
      case REPLAYED -> trainer.lastMetrics(kind.metrics);
    }
  }

  private void load(long step, Set<Draw> needs) {
    long block = step / RandomInputBlock.STEPS;
    inputs.load(block, needs);
    boolean follows = step == next;
    next = step + 1;
    if (block == loadedBlock && follows) {
      return;
    }
    loadedBlock = block;
    try (PointerScope scope = new PointerScope()) {
      long first = block * RandomInputBlock.STEPS;
      float[] values = new float[2 * RandomInputBlock.STEPS];
      for (int i = 0; i < RandomInputBlock.STEPS; i++) {
        values[2 * i] = (float) trainer.rate(first + i);
        values[2 * i + 1] = (float) trainer.featureRate(first + i);
      }
      rates.copy_(Tensors.floats(values, RandomInputBlock.STEPS, 2));
      cursor.fill_(Tensors.whole(step % RandomInputBlock.STEPS));
    }
  }

  private void compute(Set<Draw> needs) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Tensor now = rates.index_select(0, cursor).view(2);
      trainer.rate.copy_(now.get(0));
      trainer.featureRate.copy_(now.get(1));
      trainer.compute(inputs.at(cursor, needs));
      cursor.add_(Tensors.whole(1));
    }
  }

  /** How many kernels and copies the largest recording has; 0 before there is one. */
  long kernels() {
    return kinds.values().stream().mapToLong(kind -> kind.work.kernels()).max().orElse(0);
  }

  @Override
  public void close() {
    for (Kind kind : kinds.values()) {
      kind.work.close();
      if (kind.metrics != null) {
        kind.metrics.close();
      }
    }
    inputs.close();
    cursor.close();
    rates.close();
  }
}
