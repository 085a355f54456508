package dev.psm.torch;

import java.util.Optional;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch_cuda;

/** Whether this process can use a GPU. */
public final class CudaSupport {
  private CudaSupport() {}

  /** Why not, or nothing. */
  public static Optional<String> problem() {
    try {
      Loader.load(cudart.class);
      Loader.load(torch_cuda.class);
      return torch.cuda_is_available()
          ? Optional.empty()
          : Optional.of("libtorch finds no NVIDIA GPU");
    } catch (LinkageError e) {
      return Optional.of("the GPU's libraries cannot be loaded: " + e.getMessage());
    }
  }
}
