package dev.psm.torch;

import java.nio.FloatBuffer;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * A matrix on the device whose rows the host writes while the device still works on earlier ones.
 *
 * <p>On a GPU the host writes into one of two pinned buffers: a copy from ordinary memory would
 * first wait for everything that was asked for before it. A buffer is given out again when its last
 * copy is done, so that the host is never more than two of them ahead.
 */
public final class Upload implements AutoCloseable {
  private static final int BUFFERS = 2;

  private final Device device;
  private final Tensor target;
  private final Tensor[] staged = new Tensor[BUFFERS];
  private final FloatBuffer[] views = new FloatBuffer[BUFFERS];
  private final CUevent_st[] copied = new CUevent_st[BUFFERS];
  private int current;

  public Upload(Device device, int rows, int numbers) {
    this.device = device;
    try (PointerScope scope = new PointerScope()) {
      target = torch.zeros(new long[] {rows, numbers}, device.floats()).retainReference();
      for (int i = 0; i < BUFFERS; i++) {
        Tensor buffer = torch.zeros(rows, numbers);
        if (device.isCuda()) {
          buffer = buffer.pin_memory();
          copied[i] = new CUevent_st().retainReference();
          Cuda.check(
              cudart.cudaEventCreateWithFlags(copied[i], cudart.cudaEventDisableTiming),
              "making an event");
        }
        staged[i] = buffer.retainReference();
        views[i] = new FloatPointer(buffer.data_ptr()).capacity((long) rows * numbers).asBuffer();
      }
    }
  }

  /** The matrix; always the same memory. */
  public Tensor target() {
    return target;
  }

  /** Where to write the next rows, one after the other, before {@link #send}. */
  public FloatBuffer begin() {
    if (device.isCuda()) {
      Cuda.check(cudart.cudaEventSynchronize(copied[current]), "waiting for a copy");
    }
    return views[current];
  }

  /** Has the first so many rows copied, after all that was asked for so far; does not wait. */
  public void send(int rows) {
    try (PointerScope scope = new PointerScope()) {
      target.narrow(0, 0, rows).copy_(staged[current].narrow(0, 0, rows), true);
      if (device.isCuda()) {
        Cuda.check(
            cudart.cudaEventRecord(copied[current], Cuda.stream().stream()), "marking a copy");
      }
    }
    current = (current + 1) % BUFFERS;
  }

  @Override
  public void close() {
    device.synchronise();
    for (int i = 0; i < BUFFERS; i++) {
      staged[i].close();
      if (copied[i] != null) {
        cudart.cudaEventDestroy(copied[i]);
        copied[i].close();
      }
    }
    target.close();
  }
}
