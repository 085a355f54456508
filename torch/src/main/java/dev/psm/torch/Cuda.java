package dev.psm.torch;

import dev.psm.core.UserError;
import java.util.Optional;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.cuda.CUDAStream;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch_cuda;

/** The GPU of this process: its start, its stream, its errors. */
final class Cuda {
  static final byte DEVICE = 0;
  private static CUDAStream stream;

  private Cuda() {}

  static synchronized void start(Precision precision) {
    Optional<String> problem = CudaSupport.problem();
    if (problem.isPresent()) {
      throw UserError.failed(null, "%s", problem.get());
    }
    // Before any other call of libtorch, which decides once whether there is a GPU.
    Loader.load(cudart.class);
    Loader.load(torch_cuda.class);
    torch
        .globalContext()
        .setFloat32MatmulPrecision(precision == Precision.FLOAT32 ? "highest" : "high");
    if (stream == null) {
      try (PointerScope scope = new PointerScope()) {
        stream = torch_cuda.getStreamFromPool(false, DEVICE).retainReference();
      }
    }
    torch_cuda.setCurrentCUDAStream(stream);
  }

  /** The stream that everything is put on. */
  static CUDAStream stream() {
    return stream;
  }

  static void synchronise() {
    stream.synchronize();
  }

  /** Turns an error number of CUDA's into an exception. */
  static void check(int code, String what) {
    if (code != 0) {
      throw UserError.failed(
          null, "the GPU failed at %s: %s", what, cudart.cudaGetErrorString(code).getString());
    }
  }
}
