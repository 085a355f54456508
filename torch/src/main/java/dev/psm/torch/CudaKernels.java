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
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.javacpp.SizeTPointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch_cuda;

/** A file of kernels of the project's own, compiled by the GPU's own compiler at first use. */
public final class CudaKernels {
  private static final int WARPS_PER_BLOCK = 8;

  private final Class<?> owner;
  private final String file;
  private final String[] definitions;
  private final Map<String, CUfunc_st> functions = new HashMap<>();
  private CUmod_st module;

  /**
   * @param owner the file is a resource beside it
   * @param definitions as in COLUMNS=128
   */
  public CudaKernels(Class<?> owner, String file, String... definitions) {
    this.owner = owner;
    this.file = file;
    this.definitions = definitions;
  }

  /** A number of blocks or threads in each direction. */
  record Grid(int x, int y, int z) {
    Grid(int x, int y) {
      this(x, y, 1);
    }
  }

  /** Puts a kernel on the stream that takes one warp for each row. */
  public void launchRows(String name, int rows, Object... arguments) {
    Grid blocks = new Grid((rows + WARPS_PER_BLOCK - 1) / WARPS_PER_BLOCK, 1);
    launch(name, blocks, new Grid(32 * WARPS_PER_BLOCK, 1), arguments);
  }

  /** Puts a kernel on the stream that takes one thread for each number. */
  public void launchEach(String name, long count, Object... arguments) {
    Grid blocks = new Grid(Math.toIntExact((count + 255) / 256), 1);
    launch(name, blocks, new Grid(256, 1), arguments);
  }

  /**
   * Puts a kernel on the stream.
   *
   * @param arguments tensors, which may be null, longs, ints, floats, or arrays of longs, which the
   *     kernel takes by value
   */
  void launch(String name, Grid blocks, Grid threads, Object... arguments) {
    try (PointerScope scope = new PointerScope()) {
      PointerPointer<Pointer> pointers = new PointerPointer<>(arguments.length);
      for (int i = 0; i < arguments.length; i++) {
        pointers.put(i, argument(arguments[i]));
      }
      Cuda.check(
          cudart.cuLaunchKernel(
              functions.computeIfAbsent(name, this::function),
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
    if (value instanceof Float number) {
      return new FloatPointer(new float[] {number});
    }
    if (value instanceof long[] words) {
      return new LongPointer(words);
    }
    return new LongPointer(
        new long[] {value instanceof Long word ? word : address((Tensor) value)});
  }

  static long address(Tensor tensor) {
    return tensor == null ? 0 : tensor.data_ptr().address();
  }

  private CUfunc_st function(String name) {
    if (module == null) {
      module = compiled();
    }
    CUfunc_st function = new CUfunc_st().retainReference();
    Cuda.check(cudart.cuModuleGetFunction(function, module, name), name);
    return function;
  }

  private CUmod_st compiled() {
    try (PointerScope scope = new PointerScope()) {
      _nvrtcProgram program = new _nvrtcProgram();
      PointerPointer<Pointer> none = null;
      check(
          nvrtc.nvrtcCreateProgram(
              program, new BytePointer(source()), new BytePointer(file), 0, none, none));
      cudaDeviceProp properties = torch_cuda.getDeviceProperties(Cuda.DEVICE);
      String[] options = new String[1 + definitions.length];
      options[0] = "--gpu-architecture=sm_" + properties.major() + properties.minor();
      for (int i = 0; i < definitions.length; i++) {
        options[1 + i] = "-D" + definitions[i];
      }
      int status =
          nvrtc.nvrtcCompileProgram(program, options.length, new PointerPointer<>(options));
      if (status != 0) {
        throw new IllegalStateException(file + " does not compile: " + log(program));
      }
      SizeTPointer size = new SizeTPointer(1);
      check(nvrtc.nvrtcGetCUBINSize(program, size));
      BytePointer image = new BytePointer(size.get());
      check(nvrtc.nvrtcGetCUBIN(program, image));
      CUmod_st loaded = new CUmod_st().retainReference();
      Cuda.check(cudart.cuModuleLoadData(loaded, image), "loading " + file);
      nvrtc.nvrtcDestroyProgram(program);
      return loaded;
    }
  }

  private static String log(_nvrtcProgram program) {
    SizeTPointer size = new SizeTPointer(1);
    nvrtc.nvrtcGetProgramLogSize(program, size);
    BytePointer text = new BytePointer(size.get());
    nvrtc.nvrtcGetProgramLog(program, text);
    return text.getString();
  }

  private String source() {
    try (InputStream stream = owner.getResourceAsStream(file)) {
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
}
