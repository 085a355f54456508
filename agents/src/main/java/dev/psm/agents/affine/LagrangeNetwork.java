package dev.psm.agents.affine;

import dev.psm.agents.affine.AffineBasis.Evaluated;
import dev.psm.agents.affine.AffineModel.Projected;
import dev.psm.torch.Adam;
import dev.psm.torch.Mlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.AutoGradMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The paper's equation 10 as published: one prompt at a time, w started at random, λ(s, a, s̃) a
 * network, and each step a batch of 16 states against a permutation of themselves.
 */
final class LagrangeNetwork {
  private static final int BATCH = 16;
  private static final int WIDTH = 1024;

  private final AffineShape shape;
  private final Evaluated evaluated;
  private final Tensor observations;
  private final int stateCount;
  private final int actionCount;

  LagrangeNetwork(AffineShape shape, Evaluated evaluated, Tensor observations, int actionCount) {
    this.shape = shape;
    this.evaluated = evaluated;
    this.observations = observations;
    this.stateCount = Math.toIntExact(observations.size(0));
    this.actionCount = actionCount;
  }

  /** One w per prompt, on the sphere: prompts × length. */
  Tensor solve(Projected projected, RandomGenerator random) {
    TensorVector solved = new TensorVector();
    for (long prompt = 0; prompt < projected.basis().size(0); prompt++) {
      solved.push_back(solve(projected.basis().select(0, prompt).mean(0), random));
    }
    return torch.stack(solved);
  }

  private Tensor solve(Tensor objective, RandomGenerator random) {
    try (AutoGradMode gradient = new AutoGradMode(true)) {
      int features = Math.toIntExact(observations.size(1));
      Mlp lambda =
          new Mlp("lambda", new int[] {2 * features, WIDTH, WIDTH, actionCount}, false, false);
      Parameters multipliers = new Parameters();
      lambda.initialise(multipliers, random);
      Parameters coordinates =
          new Parameters().add("w", Tensors.gaussian(random, objective.numel()));
      Adam primal = new Adam(coordinates);
      Adam dual = new Adam(multipliers);
      for (int step = 0; step < shape.dualSteps(); step++) {
        try (PointerScope scope = new PointerScope()) {
          int[] states = random.ints(BATCH, 0, stateCount).toArray();
          int[] others = permuted(states, random);
          Tensor triples = triples(states, others);
          Tensor basis = evaluated.basis().index_select(0, triples);
          Tensor bias = evaluated.bias().index_select(0, triples);
          Tensor input =
              torch.cat(
                  new TensorVector(
                      observations.index_select(0, Tensors.longs(states, BATCH)),
                      observations.index_select(0, Tensors.longs(others, BATCH))),
                  1);
          Tensor lambdaValues = torch.softplus(lambda.forward(multipliers, input)).reshape(-1);
          Tensor w = Tensors.onSphere(coordinates.get("w"));
          Tensor primalLoss =
              objective
                  .dot(w)
                  .neg()
                  .sub(basis.matmul(w).add(bias).mul(lambdaValues.detach()).mean());
          primal.step(
              Tensors.gradients(primalLoss, coordinates.vector()), shape.dualLearningRate());
          // Descending this loss raises λ where m < 0; ascending it is the classic mistake.
          Tensor m = basis.matmul(Tensors.onSphere(coordinates.get("w")).detach()).add(bias);
          dual.step(
              Tensors.gradients(m.mul(lambdaValues).mean(), multipliers.vector()),
              shape.dualLearningRate());
        }
      }
      return Tensors.onSphere(coordinates.get("w")).detach();
    }
  }

  private Tensor triples(int[] states, int[] others) {
    long[] index = new long[states.length * actionCount];
    for (int i = 0; i < states.length; i++) {
      for (int action = 0; action < actionCount; action++) {
        index[i * actionCount + action] =
            ((long) states[i] * actionCount + action) * stateCount + others[i];
      }
    }
    return Tensors.longs(index, index.length);
  }

  private static int[] permuted(int[] values, RandomGenerator random) {
    int[] permuted = values.clone();
    for (int i = permuted.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swap = permuted[i];
      permuted[i] = permuted[j];
      permuted[j] = swap;
    }
    return permuted;
  }
}
