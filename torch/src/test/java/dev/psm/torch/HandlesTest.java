package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bytedeco.pytorch.T_TensorTensorTensor_T;
import org.bytedeco.pytorch.T_TensorTensor_T;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

/**
 * Large enough that what is freed goes back to the operating system: to read it is the end of the
 * process.
 */
class HandlesTest {
  private static final long SIZE = 2000;

  @Test
  void aPairOutlivesItsTuple() {
    Tensor matrix = torch.rand(SIZE, SIZE);
    T_TensorTensor_T tuple = torch.linalg_qr(matrix);
    Tensor[] qr = Handles.of(tuple);
    assertTrue(tuple.isNull());
    assertEquals(0, qr[0].matmul(qr[1]).sub(matrix).abs().max().item_double(), 1e-3);
  }

  @Test
  void threeOutliveTheirTuple() {
    Tensor matrix = torch.rand(SIZE, SIZE);
    TensorOptional none = new TensorOptional();
    T_TensorTensorTensor_T tuple =
        torch.native_layer_norm(matrix, new long[] {SIZE}, none, none, 1e-5);
    Tensor[] parts = Handles.of(tuple);
    assertTrue(tuple.isNull());
    Tensor again = matrix.sub(parts[1]).mul(parts[2]);
    assertEquals(0, parts[0].sub(again).abs().max().item_double(), 1e-4);
  }

  @Test
  void anElementOutlivesItsVector() {
    TensorVector vector = new TensorVector(torch.ones(SIZE, SIZE), torch.zeros(SIZE, SIZE));
    Tensor ones = Handles.at(vector, 0);
    vector.close();
    assertEquals(SIZE * SIZE, ones.sum().item_double(), 0);
  }
}
