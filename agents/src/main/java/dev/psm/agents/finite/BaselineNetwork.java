package dev.psm.agents.finite;

import dev.psm.core.io.TensorData;
import dev.psm.torch.Parameters;
import dev.psm.torch.Slice;
import dev.psm.torch.Tensors;
import dev.psm.torch.TrainedNetwork;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;

/** A network of a model while it learns: with its target and its optimiser. */
final class BaselineNetwork extends TrainedNetwork {
  BaselineNetwork(String name, Parameters weights, Double targetRate) {
    super(name, weights, targetRate);
  }

  /** A step down a loss that only this network learns by. */
  void descend(Tensor loss, double rate) {
    descend(Tensors.gradients(loss, weights().vector()), rate);
  }

  /** A step of both down one loss. */
  static void descend(
      Tensor loss,
      BaselineNetwork first,
      double firstRate,
      BaselineNetwork second,
      double secondRate) {
    TensorVector[] gradients = Tensors.gradients(loss, first.weights(), second.weights());
    first.descend(gradients[0], firstRate);
    second.descend(gradients[1], secondRate);
  }

  void export(Map<String, TensorData> into) {
    export(into, Slice.WHOLE);
  }

  void load(Map<String, TensorData> from, String fileName) {
    load(from, fileName, Slice.WHOLE);
  }
}
