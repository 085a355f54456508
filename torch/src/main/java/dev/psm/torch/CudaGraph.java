package dev.psm.torch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.bytedeco.cuda.cudart.CUgraphExec_st;
import org.bytedeco.cuda.cudart.CUgraph_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.javacpp.SizeTPointer;
import org.bytedeco.pytorch.cuda.DeviceAssertionsDataVectorCUDAKernelLaunchInfoVectorPair;
import org.bytedeco.pytorch.cuda.MemPool;
import org.bytedeco.pytorch.cuda.StreamFilter;
import org.bytedeco.pytorch.global.torch_cuda;

/**
 * Work on the GPU that was recorded once and is started again as a whole: hundreds of kernels cost
 * the host one call. What was recorded always reads and writes the same memory, which a pool keeps
 * for it.
 */
public final class CudaGraph implements Recording {
  private static final long NO_FLAGS = 0;

  /**
   * The names of pools: the bindings take these pairs of numbers for pairs of vectors, and would
   * free them as such.
   */
  private static final List<Pointer> NEVER_FREED = Collections.synchronizedList(new ArrayList<>());

  private final CUgraphExec_st executable;
  private final DeviceAssertionsDataVectorCUDAKernelLaunchInfoVectorPair pool;
  private final StreamFilter everything;
  private final long kernels;

  private CudaGraph(
      CUgraphExec_st executable,
      DeviceAssertionsDataVectorCUDAKernelLaunchInfoVectorPair pool,
      StreamFilter everything,
      long kernels) {
    this.executable = executable;
    this.pool = pool;
    this.everything = everything;
    this.kernels = kernels;
  }

  /**
   * Records what some work asks of the GPU, without doing it. The work must have been done before,
   * so that nothing is set up for the first time, and must not wait for any result.
   */
  public static CudaGraph record(Runnable work) {
    try (PointerScope scope = new PointerScope()) {
      DeviceAssertionsDataVectorCUDAKernelLaunchInfoVectorPair pool = MemPool.graph_pool_handle();
      NEVER_FREED.add(pool.retainReference());
      StreamFilter everything = new Everything().retainReference();
      Cuda.synchronise();
      torch_cuda.beginAllocateToPool(Cuda.DEVICE, pool, everything);
      CUgraph_st graph = null;
      CUgraphExec_st executable = new CUgraphExec_st().retainReference();
      boolean made = false;
      boolean whole = false;
      try {
        try {
          graph = capture(work);
        } finally {
          torch_cuda.endAllocateToPool(Cuda.DEVICE, pool);
        }
        Cuda.check(cudart.cudaGraphInstantiate(executable, graph, NO_FLAGS), "making a graph");
        made = true;
        SizeTPointer nodes = new SizeTPointer(1);
        Cuda.check(cudart.cudaGraphGetNodes(graph, null, nodes), "counting a graph's kernels");
        whole = true;
        return new CudaGraph(executable, pool, everything, nodes.get());
      } finally {
        if (graph != null) {
          cudart.cudaGraphDestroy(graph);
        }
        if (!whole) {
          release(made ? executable : null, pool, everything);
        }
      }
    }
  }

  private static CUgraph_st capture(Runnable work) {
    CUstream_st stream = Cuda.stream().stream();
    CUgraph_st graph = new CUgraph_st();
    Cuda.check(
        cudart.cudaStreamBeginCapture(stream, cudart.cudaStreamCaptureModeThreadLocal),
        "the start of a recording");
    boolean whole = false;
    try {
      work.run();
      whole = true;
    } finally {
      // Whatever the work threw: a stream left recording would be of no use to anyone, and an error
      // that is left would be blamed on the next launch.
      int ended = cudart.cudaStreamEndCapture(stream, graph);
      if (!whole) {
        if (ended == 0) {
          cudart.cudaGraphDestroy(graph);
        }
        cudart.cudaGetLastError();
      } else {
        Cuda.check(ended, "the end of a recording");
      }
    }
    return graph;
  }

  /** Lets the recording's memory be used for something else. */
  private static void release(
      CUgraphExec_st executable,
      DeviceAssertionsDataVectorCUDAKernelLaunchInfoVectorPair pool,
      StreamFilter everything) {
    if (executable != null) {
      cudart.cudaGraphExecDestroy(executable);
    }
    torch_cuda.getAllocator().releasePool(Cuda.DEVICE, pool);
    everything.close();
  }

  /** Whatever is allocated while recording belongs to the recording. */
  private static final class Everything extends StreamFilter {
    @Override
    public boolean call(Pointer stream) {
      return true;
    }
  }

  @Override
  public long kernels() {
    return kernels;
  }

  @Override
  public void replay() {
    Cuda.check(cudart.cudaGraphLaunch(executable, Cuda.stream().stream()), "replaying a graph");
  }

  @Override
  public void close() {
    try {
      // It may still be running.
      Cuda.synchronise();
    } finally {
      release(executable, pool, everything);
    }
  }
}
