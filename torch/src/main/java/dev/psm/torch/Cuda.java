package dev.psm.torch;

import dev.psm.core.UserError;
import java.util.Optional;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.cuda.CUDAEvent;
import org.bytedeco.pytorch.cuda.CUDAStream;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch_cuda;

/** The GPU of this process: its start, its stream, its errors. */
final class Cuda {
  static final byte DEVICE = 0;

  /** The first is the one that everything ends on; the others are for work beside it. */
  private static final CUDAStream[] STREAMS = new CUDAStream[8];

  private static final boolean[] BUSY = new boolean[STREAMS.length];
  private static int current;

  private Cuda() {}

  static synchronized void start(Precision precision) {
    Optional<UserError> problem = CudaSupport.problem();
    if (problem.isPresent()) {
      throw problem.get();
    }
    // Before any other call of libtorch, which decides once whether there is a GPU.
    Loader.load(cudart.class);
    Loader.load(torch_cuda.class);
    torch
        .globalContext()
        .setFloat32MatmulPrecision(precision == Precision.FLOAT32 ? "highest" : "high");
    try (PointerScope scope = new PointerScope()) {
      for (int i = 0; i < STREAMS.length && STREAMS[i] == null; i++) {
        STREAMS[i] = torch_cuda.getStreamFromPool(false, DEVICE).retainReference();
      }
    }
    use(0);
  }

  private static void use(int stream) {
    current = stream;
    torch_cuda.setCurrentCUDAStream(STREAMS[stream]);
  }

  /** The stream that work is put on now. */
  static CUDAStream stream() {
    return STREAMS[current];
  }

  static void synchronise() {
    STREAMS[0].synchronize();
  }

  /**
   * Puts two pieces of work beside each other; what comes after waits for both. Neither may free a
   * tensor that the other, or whoever called, still uses: memory goes back to the stream it came
   * from without waiting for any other.
   */
  static void together(Runnable one, Runnable other) {
    int from = current;
    int side = 1;
    while (side < STREAMS.length && BUSY[side]) {
      side++;
    }
    if (side == STREAMS.length) {
      one.run();
      other.run();
      return;
    }
    BUSY[side] = true;
    // They live as long as the caller's scope: one of their own would also free what the work made.
    CUDAEvent begin = new CUDAEvent();
    CUDAEvent end = new CUDAEvent();
    try {
      begin.record(STREAMS[from]);
      begin.block(STREAMS[side]);
      use(side);
      one.run();
      end.record(STREAMS[side]);
      use(from);
      other.run();
      end.block(STREAMS[from]);
    } finally {
      use(from);
      BUSY[side] = false;
    }
  }

  /** Turns an error number of CUDA's into an exception. */
  static void check(int code, String what) {
    if (code != 0) {
      throw UserError.failed(
          null, "the GPU failed at %s: %s", what, cudart.cudaGetErrorString(code).getString());
    }
  }
}
