package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.LibtorchExtension;
import dev.psm.agents.training.ActionCodebook;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import dev.psm.torch.TensorDifference;
import dev.psm.torch.Tensors;
import java.util.Map;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a GPU's formulas are compared by sees every result of each. */
@ExtendWith(LibtorchExtension.class)
class StepMathExampleTest {
  private static final StepMathExample EXAMPLE = new StepMathExample(2, 40);

  private static TensorDifference difference(StepMath math) {
    Map<String, TensorData> expected = EXAMPLE.results(new StepMath(), Device.CPU);
    Map<String, TensorData> found = EXAMPLE.results(math, Device.CPU);
    return TensorDifference.largest(found, expected, name -> true);
  }

  @Test
  void theProcessorAgreesWithItself() {
    assertEquals(0, difference(new StepMath()).relative());
  }

  @Test
  void everyResultIsNamed() {
    assertEquals(Wrong.RESULTS, EXAMPLE.results(new StepMath(), Device.CPU).keySet());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "taskVectors",
        "noisyActions.mean",
        "noisyActions.noisy",
        "bootstrap",
        "measureGradients.psi",
        "measureGradients.phi",
        "fixedBasisGradient",
        "actorDescent.values",
        "actorDescent.byPsi",
        "codedActions.bits",
        "codedActions.actions"
      })
  void aResultThatIsAHundredthTooLargeIsSeen(String result) {
    assertTrue(Wrong.RESULTS.contains(result));
    TensorDifference found = difference(new Wrong(result));
    assertTrue(found.relative() > 0.005, found.toString());
  }

  /** Formulas of which one has a wrong result. */
  private static final class Wrong extends StepMath {
    static final Set<String> RESULTS =
        Set.of(
            "taskVectors",
            "noisyActions.mean",
            "noisyActions.noisy",
            "bootstrap",
            "measureGradients.psi",
            "measureGradients.phi",
            "fixedBasisGradient",
            "actorDescent.values",
            "actorDescent.byPsi",
            "codedActions.bits",
            "codedActions.actions");

    private final String wrong;

    Wrong(String wrong) {
      this.wrong = wrong;
    }

    private Tensor result(String name, Tensor tensor) {
      return name.equals(wrong) ? tensor.mul(Tensors.scalar(1.01)) : tensor;
    }

    @Override
    public Tensor taskVectors(Tensor goals, StepInputs inputs) {
      return result("taskVectors", super.taskVectors(goals, inputs));
    }

    @Override
    Actions noisyActions(Tensor output, Tensor noise, double deviation, double clip) {
      Actions actions = super.noisyActions(output, noise, deviation, clip);
      return new Actions(
          result("noisyActions.mean", actions.mean()),
          result("noisyActions.noisy", actions.noisy()));
    }

    @Override
    public Tensor bootstrap(Tensor next, Tensor discounts, double discount) {
      return result("bootstrap", super.bootstrap(next, discounts, discount));
    }

    @Override
    MeasureLoss.Gradients measureGradients(
        MeasureLoss.Products products, MeasureLoss loss, double c) {
      MeasureLoss.Gradients gradients = super.measureGradients(products, loss, c);
      return new MeasureLoss.Gradients(
          result("measureGradients.psi", gradients.psi()),
          result("measureGradients.phi", gradients.phi()));
    }

    @Override
    Tensor fixedBasisGradient(Tensor product, Tensor residual, Tensor phi, double c) {
      return result("fixedBasisGradient", super.fixedBasisGradient(product, residual, phi, c));
    }

    @Override
    PolicyLearner.ActorLoss.Descent actorDescent(Tensor psi, Tensor tasks, double pessimism) {
      PolicyLearner.ActorLoss.Descent descent = super.actorDescent(psi, tasks, pessimism);
      return new PolicyLearner.ActorLoss.Descent(
          result("actorDescent.values", descent.values()),
          result("actorDescent.byPsi", descent.byPsi()));
    }

    @Override
    CodedActions codedActions(ActionCodebook codebook, Tensor codes, Tensor rows) {
      CodedActions coded = super.codedActions(codebook, codes, rows);
      return new CodedActions(
          result("codedActions.bits", coded.bits()),
          result("codedActions.actions", coded.actions()));
    }
  }
}
