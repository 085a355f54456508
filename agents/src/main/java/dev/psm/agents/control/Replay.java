package dev.psm.agents.control;

import dev.psm.torch.CudaGraph;
import dev.psm.torch.Device;
import dev.psm.torch.Recording;
import dev.psm.torch.Tensors;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Steps that the host has no part in: chance and learning rates lie ready on the device for a block
 * of steps, a cursor there says which of them is next, and on a GPU the whole of a step is a
 * recording. The host only starts it.
 */
final class Replay implements AutoCloseable {
  /** Steps before the recording of their kind, so that nothing is left to set up. */
  private static final int WARM_UP = 3;

  private final ControlTrainer trainer;
  private final ChanceBlock chance;
  private final boolean recording;
  private final Tensor cursor;
  private final Tensor rates;
  private final Map<Set<Draw>, Recorded> kinds = new HashMap<>();
  private long loadedBlock = -1;
  private long next = -1;

  /** Steps of one kind: those that need the same draws do the same. */
  private static final class Recorded {
    private int done;
    private Recording recording;
    private Watch watch;
  }

  /**
   * @param recording whether steps are recorded, as they should be on a GPU, or computed one
   *     operation after the other
   */
  Replay(ControlTrainer trainer, boolean recording) {
    this.trainer = trainer;
    this.recording = recording;
    this.chance = new ChanceBlock(trainer.seeds(), trainer.data(), trainer.settings());
    Device device = trainer.data().device();
    try (PointerScope scope = new PointerScope()) {
      cursor = torch.zeros(new long[] {1}, device.longs()).retainReference();
      rates = torch.zeros(new long[] {ChanceBlock.STEPS, 2}, device.floats()).retainReference();
    }
  }

  void step(long step) {
    Set<Draw> needs = trainer.needs(step);
    load(step, needs);
    Recorded kind = kinds.computeIfAbsent(needs, key -> new Recorded());
    if (kind.recording != null) {
      kind.recording.replay();
      trainer.watch(kind.watch);
    } else if (recording && kind.done >= WARM_UP) {
      kind.recording = CudaGraph.record(() -> compute(needs));
      kind.watch = trainer.watch().keep();
      kind.recording.replay();
    } else {
      compute(needs);
    }
    kind.done++;
  }

  private void load(long step, Set<Draw> needs) {
    long block = step / ChanceBlock.STEPS;
    chance.load(block, needs);
    boolean follows = step == next;
    next = step + 1;
    if (block == loadedBlock && follows) {
      return;
    }
    loadedBlock = block;
    try (PointerScope scope = new PointerScope()) {
      long first = block * ChanceBlock.STEPS;
      float[] values = new float[2 * ChanceBlock.STEPS];
      for (int i = 0; i < ChanceBlock.STEPS; i++) {
        values[2 * i] = (float) trainer.rate(first + i);
        values[2 * i + 1] = (float) trainer.featureRate(first + i);
      }
      rates.copy_(Tensors.floats(values, ChanceBlock.STEPS, 2));
      cursor.fill_(Tensors.whole(step % ChanceBlock.STEPS));
    }
  }

  private void compute(Set<Draw> needs) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Tensor now = rates.index_select(0, cursor).view(2);
      trainer.rate.copy_(now.get(0));
      trainer.featureRate.copy_(now.get(1));
      trainer.compute(chance.at(cursor, needs));
      cursor.add_(Tensors.whole(1));
    }
  }

  /** How many kernels and copies the largest recording has; 0 before there is one. */
  long kernels() {
    return kinds.values().stream()
        .mapToLong(kind -> kind.recording == null ? 0 : kind.recording.kernels())
        .max()
        .orElse(0);
  }

  @Override
  public void close() {
    for (Recorded kind : kinds.values()) {
      if (kind.recording != null) {
        kind.recording.close();
        kind.watch.close();
      }
    }
    chance.close();
    cursor.close();
    rates.close();
  }
}
