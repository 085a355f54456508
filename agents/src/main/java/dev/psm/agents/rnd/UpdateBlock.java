package dev.psm.agents.rnd;

import dev.psm.torch.Device;
import dev.psm.torch.RecordedWork;
import dev.psm.torch.Tensors;
import dev.psm.torch.Upload;
import java.nio.FloatBuffer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Updates that the host only starts: it sends the inputs of many in one copy, a cursor on the
 * device says whose turn it is, and on a GPU the whole of an update is one recording. Nothing here
 * waits for a result.
 */
final class UpdateBlock implements AutoCloseable {
  /** Updates whose inputs are sent together. */
  static final int UPDATES = 32;

  private final UpdateInputs.Layout layout;
  private final Consumer<UpdateInputs> update;
  private final Upload upload;
  private final Tensor cursor;
  private final RecordedWork work;

  /** Writes an update's inputs as their layout says; called by several threads at once. */
  @FunctionalInterface
  interface Filler {
    void fill(int index, float[] numbers);
  }

  /**
   * @param recorded whether the update is recorded, as it should be on a GPU, or computed one
   *     operation after the other
   */
  UpdateBlock(
      Device device, UpdateInputs.Layout layout, Consumer<UpdateInputs> update, boolean recorded) {
    this.layout = layout;
    this.update = update;
    this.work = new RecordedWork(recorded, this::compute);
    this.upload = new Upload(device, UPDATES, layout.numbers());
    try (PointerScope scope = new PointerScope()) {
      cursor = torch.zeros(new long[] {1}, device.longs()).retainReference();
    }
  }

  /** Starts at most {@link #UPDATES} updates, in order. */
  void run(int count, Filler filler) {
    int numbers = layout.numbers();
    FloatBuffer staged = upload.begin();
    IntStream.range(0, count)
        .parallel()
        .forEach(
            i -> {
              float[] values = new float[numbers];
              filler.fill(i, values);
              staged.put(i * numbers, values, 0, numbers);
            });
    upload.send(count);
    try (PointerScope scope = new PointerScope()) {
      cursor.fill_(Tensors.whole(0));
    }
    for (int i = 0; i < count; i++) {
      work.run();
    }
  }

  private void compute() {
    try (PointerScope scope = new PointerScope()) {
      Tensor now = upload.target().index_select(0, cursor).view(layout.numbers());
      update.accept(layout.split(now));
      cursor.add_(Tensors.whole(1));
    }
  }

  @Override
  public void close() {
    upload.close();
    work.close();
    cursor.close();
  }
}
