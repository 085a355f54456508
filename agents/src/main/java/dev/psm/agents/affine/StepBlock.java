package dev.psm.agents.affine;

import dev.psm.torch.Device;
import dev.psm.torch.RecordedWork;
import dev.psm.torch.Tensors;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Steps that the host only starts: inputs and learning rates of many lie ready on the device, a
 * cursor there says whose turn it is, and on a GPU the whole of a step is one recording.
 */
final class StepBlock implements AutoCloseable {
  /** Steps whose inputs are sent together. */
  static final int STEPS = 64;

  private final AffinePsm trainer;
  private final AffineInputs.Layout layout;
  private final Tensor inputs;
  private final Tensor rates;
  private final Tensor cursor;
  private final RecordedWork work;
  private int left;

  /**
   * @param recorded whether the step is recorded, as it should be on a GPU, or computed one
   *     operation after the other
   */
  StepBlock(AffinePsm trainer, Device device, boolean recorded) {
    this.trainer = trainer;
    this.work = new RecordedWork(recorded, this::compute);
    this.layout = trainer.layout();
    try (PointerScope scope = new PointerScope()) {
      inputs = torch.zeros(new long[] {STEPS, layout.numbers()}, device.longs()).retainReference();
      rates = trainer.rates(0, STEPS).retainReference();
      cursor = torch.zeros(new long[] {1}, device.longs()).retainReference();
    }
  }

  /** The next step; the caller counts them. */
  void step(long step) {
    if (left == 0) {
      load(step);
    }
    left--;
    work.run();
  }

  /** Says that steps are not what they were: another number of codes, other enriched policies. */
  void forget() {
    work.forget();
  }

  /** The same, and that steps do not go on from where they were. */
  void restart() {
    forget();
    left = 0;
  }

  private void load(long first) {
    long[] numbers = new long[STEPS * layout.numbers()];
    for (int i = 0; i < STEPS; i++) {
      trainer.source().draw(first + i, layout, numbers, i * layout.numbers());
    }
    try (PointerScope scope = new PointerScope()) {
      inputs.copy_(Tensors.longs(numbers, STEPS, layout.numbers()));
      rates.copy_(trainer.rates(first, STEPS));
      cursor.fill_(Tensors.whole(0));
    }
    left = STEPS;
  }

  private void compute() {
    try (PointerScope scope = new PointerScope()) {
      Tensor now = inputs.index_select(0, cursor).view(layout.numbers());
      trainer.compute(layout.split(now), rates.index_select(0, cursor).view(2));
      cursor.add_(Tensors.whole(1));
    }
  }

  @Override
  public void close() {
    work.close();
    inputs.close();
    rates.close();
    cursor.close();
  }
}
