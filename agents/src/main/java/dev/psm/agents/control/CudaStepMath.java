package dev.psm.agents.control;

import dev.psm.agents.TruncatedNormal;
import dev.psm.agents.training.ActionCodebook;
import dev.psm.agents.training.Draw;
import dev.psm.agents.training.StepInputs;
import dev.psm.torch.CudaKernels;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/** On a GPU: each formula of {@link StepMath} in one pass over memory. */
final class CudaStepMath extends StepMath {
  private static final CudaKernels KERNELS = new CudaKernels(CudaStepMath.class, "steps.cu");

  private static Tensor empty(TensorOptions options, long... shape) {
    return torch.empty(shape, options, new MemoryFormatOptional());
  }

  private static int size(Tensor tensor, int axis) {
    return Math.toIntExact(tensor.size(axis));
  }

  @Override
  public Tensor taskVectors(Tensor goals, StepInputs inputs) {
    Tensor noise = inputs.get(Draw.TASK_NOISE);
    Tensor tasks = torch.empty_like(noise);
    int rows = size(goals, 0) * size(goals, 1);
    KERNELS.launchRows(
        "task_vectors",
        rows,
        goals.contiguous(),
        inputs.get(Draw.PERMUTATION),
        inputs.get(Draw.MIXED),
        noise,
        tasks,
        rows,
        size(goals, 1),
        size(goals, 2));
    return tasks;
  }

  @Override
  Actions noisyActions(Tensor output, Tensor noise, double deviation, double clip) {
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
    return new Actions(mean, noisy);
  }

  @Override
  public Tensor bootstrap(Tensor next, Tensor discounts, double discount) {
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

  @Override
  Tensor fixedBasisGradient(Tensor product, Tensor residual, Tensor phi, double c) {
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
        (float) c);
    return product;
  }

  @Override
  MeasureLoss.Gradients measureGradients(
      MeasureLoss.Products products, MeasureLoss loss, double c) {
    Tensor psi = loss.psi();
    Tensor phi = loss.phi();
    int members = size(psi, 1);
    int batch = size(phi, 1);
    int columns = size(phi, 2);
    int rows = size(phi, 0) * batch;
    Tensor owns = empty(psi.options(), psi.size(0), members, batch);
    KERNELS.launchRows(
        "psi_gradient",
        rows * members,
        products.psi(),
        products.psiBootstrapped(),
        psi,
        phi,
        loss.bootstrap().squeeze(1),
        loss.targetPhi(),
        owns,
        rows * members,
        members,
        batch,
        columns,
        (float) c);
    KERNELS.launchRows(
        "phi_gradient",
        rows,
        products.phi(),
        products.phiBootstrapped(),
        psi,
        owns,
        phi,
        rows,
        members,
        batch,
        columns,
        (float) c,
        (float) loss.orthonormality());
    return new MeasureLoss.Gradients(products.psi().view_as(psi), products.phi());
  }

  @Override
  PolicyLearner.ActorLoss.Descent actorDescent(Tensor psi, Tensor tasks, double pessimism) {
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
    return new PolicyLearner.ActorLoss.Descent(values, byPsi);
  }

  @Override
  CodedActions codedActions(ActionCodebook codebook, Tensor codes, Tensor rows) {
    Tensor table = codebook.table();
    int codeBits = ActionCodebook.CODE_BITS;
    int actionSize = size(table, 1);
    Tensor bits = empty(table.options(), codes.size(0), codes.size(1), codeBits);
    Tensor actions = empty(table.options(), codes.size(0), codes.size(1), actionSize);
    KERNELS.launchEach(
        "codebook",
        codes.numel(),
        codes,
        rows,
        table,
        bits,
        actions,
        codes.numel(),
        size(codes, 1),
        ActionCodebook.TABLE_SIZE,
        codeBits,
        actionSize);
    return new CodedActions(bits, actions);
  }
}
