package dev.psm.torch;

import org.bytedeco.pytorch.Dispatcher;
import org.bytedeco.pytorch.GenericList;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.OperatorHandle;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorList;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Type;

/**
 * Operators that libtorch has and the bindings do not name. They are reached through the
 * dispatcher: one call updates every tensor of a list, which is what makes small networks fast.
 */
final class Operators {
  // Retained, since this class may first be touched inside a scope that would free them.
  private static final OperatorHandle FUSED_ADAM =
      Dispatcher.singleton().findSchemaOrThrow("aten::_fused_adam_", "").retainReference();
  private static final OperatorHandle FUSED_ADAM_TENSOR_RATE =
      Dispatcher.singleton().findSchemaOrThrow("aten::_fused_adam_", "tensor_lr").retainReference();
  private static final OperatorHandle FOREACH_LERP =
      Dispatcher.singleton().findSchemaOrThrow("aten::_foreach_lerp_", "Scalar").retainReference();

  private static final Type.TypePtr TENSOR_TYPE = new TensorList().elementType().retainReference();

  private Operators() {}

  static IValue list(TensorVector tensors) {
    GenericList list = new GenericList(TENSOR_TYPE);
    for (long i = 0; i < tensors.size(); i++) {
      list.push_back(new IValue(Handles.at(tensors, i)));
    }
    return new IValue(list);
  }

  static IValue list(Iterable<Tensor> tensors) {
    TensorVector vector = new TensorVector();
    tensors.forEach(vector::push_back);
    return list(vector);
  }

  /** target ← target + rate · (online − target), for every tensor. */
  static void lerp(IValue targets, IValue onlines, double rate) {
    FOREACH_LERP.callBoxed(new IValueVector(targets, onlines, new IValue(rate)));
  }

  /**
   * One step of Adam on every tensor.
   *
   * @param learningRate a number, or a tensor that holds one
   */
  static void adam(
      IValue parameters,
      IValue gradients,
      IValue firstMoments,
      IValue secondMoments,
      IValue steps,
      IValue learningRate,
      double beta1,
      double beta2,
      double epsilon) {
    IValue none = new IValue();
    IValue noMaxima = new IValue(new GenericList(TENSOR_TYPE));
    OperatorHandle operator = learningRate.isTensor() ? FUSED_ADAM_TENSOR_RATE : FUSED_ADAM;
    operator.callBoxed(
        new IValueVector(
            parameters,
            gradients,
            firstMoments,
            secondMoments,
            noMaxima,
            steps,
            learningRate,
            new IValue(beta1),
            new IValue(beta2),
            new IValue(0.0),
            new IValue(epsilon),
            new IValue(false),
            new IValue(false),
            none,
            none));
  }
}
