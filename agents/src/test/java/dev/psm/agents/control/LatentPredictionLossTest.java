package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.agents.SmallWorlds;
import dev.psm.torch.Device;
import dev.psm.torch.Handles;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

class LatentPredictionLossTest {
  private static final int SEEDS = 2;
  private static final int ROWS = 4;
  private static final int D = 3;
  private static final int ACTION = 2;
  private static final int HORIZON = 5;

  private final Random random = new Random(1);
  private final Tensor phi = Tensors.gaussian(random, SEEDS, ROWS, D);
  private final List<Tensor> actions = new ArrayList<>();

  LatentPredictionLossTest() {
    for (int t = 0; t < HORIZON; t++) {
      actions.add(Tensors.gaussian(random, SEEDS, ROWS, ACTION));
    }
  }

  /** h′ = A h + B a, one member, the same for all seeds; it gathers the gradient by A. */
  private static final class Linear implements LatentPredictionLoss.Model {
    private final Tensor a;
    private final Tensor b;
    private Tensor byA = torch.zeros(D, D);

    Linear(Tensor a, Tensor b) {
      this.a = a;
      this.b = b;
    }

    @Override
    public int members() {
      return 1;
    }

    @Override
    public LatentPredictionLoss.Step step(Tensor h, Tensor taken) {
      Tensor output = h.matmul(a.t()).add(taken.matmul(b.t()));
      return new LatentPredictionLoss.Step() {
        @Override
        public Tensor output() {
          return output;
        }

        @Override
        public Tensor backward(Tensor gradient) {
          byA = byA.add(gradient.transpose(1, 2).matmul(h).sum(0));
          return gradient.matmul(a);
        }
      };
    }
  }

  private final Tensor a =
      Tensors.matrix(new double[][] {{0.9, 0.2, 0}, {-0.1, 0.8, 0.3}, {0, 0.4, 0.5}});
  private final Tensor b = Tensors.matrix(new double[][] {{1, 0}, {0.5, -1}, {0, 2}});

  /** The states that the system itself goes through. */
  private Tensor truth() {
    TensorVector states = new TensorVector();
    Tensor state = phi;
    for (Tensor action : actions) {
      state = state.matmul(a.t()).add(action.matmul(b.t()));
      states.push_back(state);
    }
    return torch.cat(states, 1);
  }

  @Test
  void theSystemsOwnModelIsTheMinimum() {
    Linear model = new Linear(a, b);
    LatentPredictionLoss loss = new LatentPredictionLoss(model, phi, actions, truth());
    assertEquals(0, loss.value().abs().max().item_double(), 1e-9);
    assertEquals(0, loss.gradient().abs().max().item_double(), 1e-6);
    assertEquals(0, model.byA.abs().max().item_double(), 1e-6);
  }

  /**
   * From a state that is wrong by δ the error after t steps is Aᵗδ: the loss is mean_t E‖Aᵗδ‖², and
   * its gradient by the state mean_t 2 (Aᵗ)ᵀ Aᵗ δ / rows.
   */
  @Test
  void anErrorGoesOnByThePowersOfTheSystem() {
    Tensor delta = Tensors.gaussian(random, SEEDS, ROWS, D);
    LatentPredictionLoss loss =
        new LatentPredictionLoss(new Linear(a, b), phi.add(delta), actions, truth());
    Tensor power = torch.eye(D);
    Tensor value = torch.zeros(SEEDS);
    Tensor gradient = torch.zeros_like(delta);
    for (int t = 0; t < HORIZON; t++) {
      power = a.matmul(power);
      Tensor error = delta.matmul(power.t());
      value = value.add(error.square().sum(-1).mean(-1).div(scalar(HORIZON)));
      gradient = gradient.add(error.matmul(power).mul(scalar(2.0 / (HORIZON * ROWS))));
    }
    Near.assertNear(value, loss.value(), 1e-5, "value");
    Near.assertNear(gradient, loss.gradient(), 1e-5, "gradient by the first state");
  }

  /** With another matrix, against libtorch's differentiation through the unrolled system. */
  @Test
  void theModelsGradientIsTheUnrolledSystems() {
    Tensor wrong = a.add(Tensors.gaussian(random, D, D).mul(scalar(0.3))).detach();
    Linear model = new Linear(wrong, b);
    new LatentPredictionLoss(model, phi, actions, truth()).gradient();
    Tensor expected =
        Tensors.gradient(
            wrong,
            matrix ->
                new LatentPredictionLoss(new Linear(matrix, b), phi, actions, truth()).value());
    Near.assertNear(expected, model.byA, 1e-5, "gradient by A");
  }

  /** The networks of two members, whose latent states part after the first step. */
  @Test
  void theWrittenGradientsAreThoseOfThePlainForm() {
    ControlSettings settings =
        dev.psm.core.settings.Settings.override(
            ControlSettings.small(SmallWorlds.BODY), List.of("featureDimension=" + D, "width=8"));
    Towers shape = Rldp.Predictor.shape(settings, ACTION);
    int stack = SEEDS * Rldp.Predictor.MEMBERS;
    List<Random> generators = new ArrayList<>();
    for (int i = 0; i < stack; i++) {
      generators.add(new Random(i));
    }
    Parameters weights = shape.initialise(Device.CPU, generators);
    Tensor targets = Tensors.gaussian(random, SEEDS, HORIZON * ROWS, D);
    Tensor state = phi.detach().set_requires_grad(true);

    // One row of the sum after the other, every member for itself.
    Tensor expected = torch.zeros(1);
    Tensor h =
        state.unsqueeze(1).expand(SEEDS, Rldp.Predictor.MEMBERS, ROWS, D).reshape(stack, ROWS, D);
    for (int t = 0; t < HORIZON; t++) {
      Tensor action =
          actions
              .get(t)
              .repeat_interleave(
                  Rldp.Predictor.MEMBERS,
                  new org.bytedeco.pytorch.LongOptional(0),
                  new org.bytedeco.pytorch.LongOptional());
      h = shape.forward(weights, new Towers.Inputs(h), new Towers.Inputs(h, action)).squeeze(1);
      for (int i = 0; i < stack; i++) {
        Tensor target = targets.get(i / Rldp.Predictor.MEMBERS).narrow(0, (long) t * ROWS, ROWS);
        expected =
            expected.add(
                h.get(i)
                    .sub(target)
                    .square()
                    .sum()
                    .div(scalar(HORIZON * ROWS * Rldp.Predictor.MEMBERS)));
      }
    }
    TensorVector inputs = new TensorVector(state);
    weights.asMap().values().forEach(inputs::push_back);
    TensorVector gradients = Tensors.gradients(expected.sum(), inputs);

    try (NoGradGuard noGradient = new NoGradGuard()) {
      Rldp.Predictor predictor = new Rldp.Predictor(shape, weights);
      Rldp.Predictor.Unrolled unrolled = predictor.unrolled();
      LatentPredictionLoss loss = new LatentPredictionLoss(unrolled, phi, actions, targets);
      Near.assertNear(expected, loss.value().sum().view(1), 1e-5, "value");
      Near.assertNear(Handles.at(gradients, 0), loss.gradient(), 1e-4, "gradient by φ(s₀)");
      TensorVector found = unrolled.gradients().of(weights);
      for (long i = 0; i < found.size(); i++) {
        Near.assertNear(
            Handles.at(gradients, i + 1), Handles.at(found, i), 1e-4, "gradient of weight " + i);
      }
    }
  }
}
