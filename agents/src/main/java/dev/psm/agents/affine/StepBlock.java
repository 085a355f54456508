package dev.psm.agents.affine;

import dev.psm.torch.CudaGraph;
import dev.psm.torch.Device;
import dev.psm.torch.Recording;
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

  /** Steps before the recording, so that nothing is left to set up. */
  private static final int WARM_UP = 3;

  private final AffinePsm trainer;
  private final boolean recorded;
  private final AffineInputs.Layout layout;
  private final Tensor inputs;
  private final Tensor rates;
  private final Tensor cursor;
  private int left;
  private int warm;
  private Recording recording;

  /**
   * @param recorded whether the step is recorded, as it should be on a GPU, or computed one
   *     operation after the other
   */
  StepBlock(AffinePsm trainer, Device device, boolean recorded) {
    this.trainer = trainer;
    this.recorded = recorded;
    this.layout = trainer.layout();
    try (PointerScope scope = new PointerScope()) {
      inputs = torch.zeros(new long[] {STEPS, layout.numbers()}, device.longs()).retainReference();
      rates = trainer.rates(0, STEPS).retainReference();
      cursor = torch.zeros(new long[] {1}, device.longs()).retainReference();
    }
  }

  /** The next step; the caller counts them. */
  void step(int step) {
    if (left == 0) {
      load(step);
    }
    left--;
    if (recorded && recording == null && warm >= WARM_UP) {
      recording = CudaGraph.record(this::compute);
    }
    if (recording != null) {
      recording.replay();
    } else {
      compute();
      warm++;
    }
  }

  /** Says that steps are not what they were: another number of codes, other enriched policies. */
  void forget() {
    if (recording != null) {
      recording.close();
    }
    recording = null;
    warm = 0;
  }

  private void load(int first) {
    long[] numbers = new long[STEPS * layout.numbers()];
    for (int i = 0; i < STEPS; i++) {
      trainer.source().draw(layout, numbers, i * layout.numbers());
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
    forget();
    inputs.close();
    rates.close();
    cursor.close();
  }
}
