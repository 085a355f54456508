package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.io.TensorData;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a GPU's layers are compared by finds mistakes, and lets rounding pass. */
class LayersExampleTest {
  private static final int WIDTH = 24;

  private static TensorDifference difference(Layers layers, int width) {
    Map<String, TensorData> found = new LayersExample(width).results(layers, Device.CPU);
    return TensorDifference.largest(found, LayersExample.expected(width), name -> true);
  }

  @Test
  void theProcessorAgreesWithItself() {
    assertEquals(0, difference(new PlainLayers(), WIDTH).relative());
  }

  @ParameterizedTest
  @EnumSource
  void roundingAloneStaysWellWithinTheTolerance(Precision precision) {
    TensorDifference rounding = difference(new RoundedLayers(precision), 256);
    assertTrue(
        rounding.relative() < LayersExample.tolerance(precision) / 2,
        () -> precision + ": " + rounding);
  }

  static List<Method> operations() {
    return List.of(Layers.class.getMethods()).stream()
        .filter(method -> !method.getName().equals("room"))
        .toList();
  }

  /** One result of one operation is a tenth too large. */
  @ParameterizedTest
  @MethodSource("operations")
  void everyResultOfEveryOperationIsCompared(Method operation) {
    UnaryOperator<Tensor> wrong = tensor -> tensor.mul(Tensors.scalar(1.1));
    int results =
        operation.getReturnType() == Layers.Back.class
            ? 2
            : operation.getReturnType() == Layers.NormedBack.class ? 4 : 1;
    for (int result = 0; result < results; result++) {
      int one = result;
      Layers layers = changed(operation, value -> changed(value, one, wrong));
      TensorDifference found = difference(layers, WIDTH);
      assertTrue(
          found.relative() > LayersExample.tolerance(Precision.BFLOAT16),
          () -> operation.getName() + ", result " + one + ": " + found);
    }
  }

  private static Object changed(Object value, int result, UnaryOperator<Tensor> change) {
    if (value instanceof Tensor tensor) {
      return change.apply(tensor);
    }
    if (value instanceof Layers.Normed n) {
      return new Layers.Normed(
          n.raw(), n.mean(), n.inverseDeviation(), n.standard(), change.apply(n.output()));
    }
    UnaryOperator<Tensor> optional = tensor -> tensor == null ? null : change.apply(tensor);
    if (value instanceof Layers.Back b) {
      return result == 0
          ? new Layers.Back(change.apply(b.gradient()), b.bias())
          : new Layers.Back(b.gradient(), optional.apply(b.bias()));
    }
    Layers.NormedBack b = (Layers.NormedBack) value;
    return switch (result) {
      case 0 -> new Layers.NormedBack(change.apply(b.gradient()), b.bias(), b.gain(), b.shift());
      case 1 -> new Layers.NormedBack(b.gradient(), optional.apply(b.bias()), b.gain(), b.shift());
      case 2 -> new Layers.NormedBack(b.gradient(), b.bias(), optional.apply(b.gain()), b.shift());
      default -> new Layers.NormedBack(b.gradient(), b.bias(), b.gain(), optional.apply(b.shift()));
    };
  }

  private static Layers changed(Method operation, UnaryOperator<Object> change) {
    PlainLayers plain = new PlainLayers();
    return (Layers)
        Proxy.newProxyInstance(
            Layers.class.getClassLoader(),
            new Class<?>[] {Layers.class},
            (proxy, method, arguments) -> {
              try {
                Object value = method.invoke(plain, arguments);
                return method.equals(operation) ? change.apply(value) : value;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
