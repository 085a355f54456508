package dev.psm.torch;

import dev.psm.core.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.cudart.CUmod_st;
import org.bytedeco.cuda.cudart.cudaDeviceProp;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nvrtc;
import org.bytedeco.cuda.nvrtc._nvrtcProgram;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.javacpp.SizeTPointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch_cuda;

/**
 * The project's own kernels, compiled by the GPU's own compiler for the widths that networks have:
 * a width known in advance turns loops into straight code.
 */
final class CudaKernels {
  private static final String SOURCE = "layers.cu";

  private final boolean bfloat16;
  private final Map<Integer, CUmod_st> modules = new HashMap<>();
  private final Map<String, CUfunc_st> functions = new HashMap<>();

  CudaKernels(boolean bfloat16) {
    this.bfloat16 = bfloat16;
  }

  /** A number of blocks and threads in each direction. */
  record Grid(int x, int y, int z) {
    Grid(int x, int y) {
      this(x, y, 1);
    }
  }

  /**
   * Puts a kernel on the stream.
   *
   * @param arguments tensors, which may be null, longs and ints
   */
  void launch(String name, int columns, Grid blocks, Grid threads, Object... arguments) {
    try (PointerScope scope = new PointerScope()) {
      PointerPointer<Pointer> pointers = new PointerPointer<>(arguments.length);
      for (int i = 0; i < arguments.length; i++) {
        pointers.put(i, argument(arguments[i]));
      }
      check(
          cudart.cuLaunchKernel(
              function(name, columns),
              blocks.x,
              blocks.y,
              blocks.z,
              threads.x,
              threads.y,
              threads.z,
              0,
              Cuda.stream().stream(),
              pointers,
              null),
          name);
    }
  }

  private static Pointer argument(Object value) {
    if (value instanceof Integer number) {
      return new IntPointer(new int[] {number});
    }
    long word =
        value == null
            ? 0
            : value instanceof Tensor tensor ? tensor.data_ptr().address() : (Long) value;
    return new LongPointer(new long[] {word});
  }

  private CUfunc_st function(String name, int columns) {
    return functions.computeIfAbsent(
        name + columns,
        key -> {
          CUfunc_st function = new CUfunc_st().retainReference();
          check(cudart.cuModuleGetFunction(function, module(columns), name), name);
          return function;
        });
  }

  private CUmod_st module(int columns) {
    return modules.computeIfAbsent(columns, this::compiled);
  }

  private CUmod_st compiled(int columns) {
    try (PointerScope scope = new PointerScope()) {
      _nvrtcProgram program = new _nvrtcProgram();
      PointerPointer<Pointer> none = null;
      check(
          nvrtc.nvrtcCreateProgram(
              program, new BytePointer(source()), new BytePointer(SOURCE), 0, none, none));
      cudaDeviceProp properties = torch_cuda.getDeviceProperties(Cuda.DEVICE);
      String[] options = {
        "--gpu-architecture=sm_" + properties.major() + properties.minor(),
        "-DCOLUMNS=" + columns,
        "-DBFLOAT16=" + (bfloat16 ? 1 : 0)
      };
      int status =
          nvrtc.nvrtcCompileProgram(program, options.length, new PointerPointer<>(options));
      if (status != 0) {
        throw new IllegalStateException(SOURCE + " does not compile: " + log(program));
      }
      SizeTPointer size = new SizeTPointer(1);
      check(nvrtc.nvrtcGetCUBINSize(program, size));
      BytePointer image = new BytePointer(size.get());
      check(nvrtc.nvrtcGetCUBIN(program, image));
      CUmod_st module = new CUmod_st().retainReference();
      check(cudart.cuModuleLoadData(module, image), "loading kernels");
      nvrtc.nvrtcDestroyProgram(program);
      return module;
    }
  }

  private static String log(_nvrtcProgram program) {
    SizeTPointer size = new SizeTPointer(1);
    nvrtc.nvrtcGetProgramLogSize(program, size);
    BytePointer text = new BytePointer(size.get());
    nvrtc.nvrtcGetProgramLog(program, text);
    return text.getString();
  }

  private static String source() {
    try (InputStream stream = CudaKernels.class.getResourceAsStream(SOURCE)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void check(int status) {
    if (status != 0) {
      throw UserError.failed(
          null,
          "CUDA's run-time compiler failed: %s; is libnvrtc of the same CUDA as the rest?",
          nvrtc.nvrtcGetErrorString(status).getString());
    }
  }

  /** The driver's numbers are the runtime's too. */
  private static void check(int status, String what) {
    Cuda.check(status, what);
  }
}
