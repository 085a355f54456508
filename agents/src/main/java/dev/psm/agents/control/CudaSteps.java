package dev.psm.agents.control;

import dev.psm.agents.TruncatedNormal;
import dev.psm.torch.CudaKernels;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * On a GPU: parts of gradient steps in one pass over memory each. Every one is also written in
 * libtorch's operators where it belongs, which is what a step without a GPU does.
 */
final class CudaSteps {
  private static final CudaKernels KERNELS = new CudaKernels(CudaSteps.class, "steps.cu");

  private CudaSteps() {}

  private static Tensor empty(TensorOptions options, long... shape) {
    return torch.empty(shape, options, new MemoryFormatOptional());
  }

  private static int size(Tensor tensor, int axis) {
    return Math.toIntExact(tensor.size(axis));
  }

  /** As {@link ControlTrainer#taskVectors}. */
  static Tensor taskVectors(Tensor goals, Tensor permutation, Tensor mixed, Tensor noise) {
    Tensor tasks = torch.empty_like(noise);
    int rows = size(goals, 0) * size(goals, 1);
    KERNELS.launchRows(
        "task_vectors",
        rows,
        goals.contiguous(),
        permutation,
        mixed,
        noise,
        tasks,
        rows,
        size(goals, 1),
        size(goals, 2));
    return tasks;
  }

  /** As {@link ControlTrainer#noisyAction}, from the actor's output on. */
  static ControlTrainer.Actions noisyAction(
      Tensor output, Tensor noise, double deviation, double clip) {
    Tensor mean = torch.empty_like(noise);
    Tensor noisy = torch.empty_like(noise);
    KERNELS.launchEach(
        "noisy_action",
        noise.numel(),
        output.contiguous(),
        noise,
        mean,
        noisy,
        noise.numel(),
        (float) deviation,
        (float) clip,
        (float) (1 - TruncatedNormal.MARGIN));
    return new ControlTrainer.Actions(mean, noisy);
  }

  /** As {@link ControlTrainer#bootstrap}: seeds × 1 × batch × d. */
  static Tensor bootstrap(Tensor next, Tensor discounts, double discount) {
    Tensor result = empty(next.options(), next.size(0), 1, next.size(2), next.size(3));
    KERNELS.launchEach(
        "bootstrap",
        result.numel(),
        next,
        discounts.contiguous(),
        result,
        result.numel(),
        size(next, 1),
        size(next, 2),
        size(next, 3),
        (float) discount);
    return result;
  }

  /** As {@link MeasureLosses#gradient}, from (ψ − γψ̄)φᵀφ on. */
  static Tensor fixedGradient(Tensor product, Tensor residual, Tensor phi, double pairs) {
    int members = size(residual, 1);
    int rows = size(residual, 0) * members * size(residual, 2);
    KERNELS.launchRows(
        "fixed_gradient",
        rows,
        product,
        residual,
        phi,
        rows,
        members,
        size(phi, 1),
        size(phi, 2),
        (float) pairs);
    return product;
  }

  /** As {@link MeasureLosses#gradients}, from the products on. */
  static MeasureLosses.Gradients gradients(
      Tensor psiProduct,
      Tensor psiBootstrapped,
      Tensor phiProduct,
      Tensor phiBootstrapped,
      Tensor psi,
      Tensor phi,
      Tensor target,
      Tensor targetPhi,
      double pairs,
      double orthonormality) {
    int members = size(psi, 1);
    int batch = size(phi, 1);
    int columns = size(phi, 2);
    int rows = size(phi, 0) * batch;
    Tensor owns = empty(psi.options(), psi.size(0), members, batch);
    KERNELS.launchRows(
        "psi_gradient",
        rows * members,
        psiProduct,
        psiBootstrapped,
        psi,
        phi,
        target,
        targetPhi,
        owns,
        rows * members,
        members,
        batch,
        columns,
        (float) pairs);
    KERNELS.launchRows(
        "phi_gradient",
        rows,
        phiProduct,
        phiBootstrapped,
        psi,
        owns,
        phi,
        rows,
        members,
        batch,
        columns,
        (float) pairs,
        (float) orthonormality);
    return new MeasureLosses.Gradients(psiProduct.view_as(psi), phiProduct);
  }

  /** As in {@link ControlTrainer#improveActor}. */
  static Pessimism.Descent descent(Tensor psi, Tensor tasks, double pessimism) {
    Tensor values = empty(psi.options(), psi.size(0), psi.size(1), psi.size(2));
    Tensor byPsi = torch.empty_like(psi);
    int rows = size(tasks, 0) * size(tasks, 1);
    KERNELS.launchRows(
        "actor_descent",
        rows,
        psi,
        tasks,
        values,
        byPsi,
        rows,
        size(psi, 1),
        size(psi, 2),
        size(psi, 3),
        (float) pessimism);
    return new Pessimism.Descent(values, byPsi);
  }

  /** As {@link ActionCodebook}'s bits and actions. */
  static ActionCodebook.Choice codebook(
      Tensor codes, Tensor places, Tensor table, int tableSize, int codeBits) {
    int actionSize = size(table, 1);
    Tensor bits = empty(table.options(), codes.size(0), codes.size(1), codeBits);
    Tensor actions = empty(table.options(), codes.size(0), codes.size(1), actionSize);
    KERNELS.launchEach(
        "codebook",
        codes.numel(),
        codes,
        places,
        table,
        bits,
        actions,
        codes.numel(),
        size(codes, 1),
        tableSize,
        codeBits,
        actionSize);
    return new ActionCodebook.Choice(bits, actions);
  }
}
