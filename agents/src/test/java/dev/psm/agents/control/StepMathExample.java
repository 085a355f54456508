package dev.psm.agents.control;

import dev.psm.agents.training.ActionCodebook;
import dev.psm.agents.training.Draw;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Every formula of {@link StepMath} on the same numbers: what all devices must agree on.
 *
 * @param dimension d; kernels take 32 numbers at a time
 */
record StepMathExample(int members, int dimension) {
  private static final List<Long> SEEDS = List.of(3L, 8L);
  private static final int ROWS = 11;
  private static final int ACTIONS = 3;

  /** Results by name. */
  Map<String, TensorData> results(StepMath math, Device device) {
    Map<String, Tensor> results = new LinkedHashMap<>();
    Map<String, TensorData> data = new LinkedHashMap<>();
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      compute(math, device, new Random(dimension), results);
      results.forEach((name, tensor) -> data.put(name, Tensors.toData(tensor)));
    }
    return data;
  }

  private void compute(StepMath math, Device device, Random random, Map<String, Tensor> results) {
    Tensor phi = rows(device, random, dimension);
    Tensor tasks = math.taskVectors(phi, inputs(device, random));
    results.put("taskVectors", tasks);

    // Far enough out for both bounds to matter.
    Tensor output = rows(device, random, ACTIONS).mul(Tensors.scalar(3));
    StepMath.Actions actions = math.noisyActions(output, rows(device, random, ACTIONS), 0.2, 0.3);
    results.put("noisyActions.mean", actions.mean());
    results.put("noisyActions.noisy", actions.noisy());

    Tensor next = stacked(device, random);
    // A column of a wider table, as batches have it.
    Tensor discounts = rows(device, random, 4).narrow(2, 2, 1);
    Tensor bootstrap = math.bootstrap(next, discounts, 0.98);
    results.put("bootstrap", bootstrap);

    Tensor psi = stacked(device, random);
    Tensor targetPhi = rows(device, random, dimension);
    MeasureLoss.Gradients gradients =
        new MeasureLoss(psi, phi, bootstrap, targetPhi, 0.7, math).gradients();
    results.put("measureGradients.psi", gradients.psi());
    results.put("measureGradients.phi", gradients.phi());
    results.put(
        "fixedBasisGradient", new MeasureLoss.InFixedBasis(psi, bootstrap, phi, math).gradient());

    // In one row all members agree, so that none of them is the smallest.
    Tensor first = psi.select(1, 0).select(1, 4).unsqueeze(1).clone();
    psi.select(2, 4).copy_(first.expand(SEEDS.size(), members, dimension));
    PolicyLearner.ActorLoss.Descent descent = math.actorDescent(psi, tasks, 0.4);
    results.put("actorDescent.values", descent.values());
    results.put("actorDescent.byPsi", descent.byPsi());

    try (ActionCodebook codebook = new ActionCodebook(SEEDS, ACTIONS, device)) {
      Tensor codes = whole(device, random, ActionCodebook.CODE_COUNT);
      Tensor places = whole(device, random, 1_000_000);
      StepMath.CodedActions coded = math.codedActions(codebook, codes, places);
      results.put("codedActions.bits", coded.bits());
      results.put("codedActions.actions", coded.actions().clone());
    }
  }

  private StepInputs inputs(Device device, Random random) {
    TensorVector orders = new TensorVector();
    for (int seed = 0; seed < SEEDS.size(); seed++) {
      orders.push_back(Tensors.gaussian(random, ROWS).argsort(-1, false));
    }
    Tensor mixed = Tensors.gaussian(random, SEEDS.size(), ROWS, 1).gt(Tensors.scalar(0));
    return new StepInputs(
        Map.of(
            Draw.PERMUTATION, device.place(torch.stack(orders, 0)),
            Draw.MIXED, device.place(mixed.to(torch.ScalarType.Float)),
            Draw.TASK_NOISE, rows(device, random, dimension)));
  }

  private static Tensor rows(Device device, Random random, int width) {
    return device.place(Tensors.gaussian(random, SEEDS.size(), ROWS, width));
  }

  private Tensor stacked(Device device, Random random) {
    return device.place(Tensors.gaussian(random, SEEDS.size(), members, ROWS, dimension));
  }

  private static Tensor whole(Device device, Random random, int bound) {
    long[] values = random.longs((long) SEEDS.size() * ROWS, 0, bound).toArray();
    return device.place(Tensors.longs(values, SEEDS.size(), ROWS));
  }
}
