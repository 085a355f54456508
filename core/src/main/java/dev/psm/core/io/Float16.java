package dev.psm.core.io;

import dev.psm.core.UserError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * IEEE half precision: 11 significant bits up to 65504, in half the bytes of a float. Written here
 * because the platform's own conversions came with Java 20.
 */
public final class Float16 {
  /** The largest finite half. */
  public static final float MOST = 65504;

  private static final float SMALLEST_NORMAL = 0x1p-14f;
  private static final double UNITS_BELOW_NORMAL = 0x1p24;
  private static final int DROPPED_BITS = 13;
  private static final int HALF_OF_DROPPED = 1 << 12;
  private static final int BIAS_DIFFERENCE = 127 - 15;
  private static final int INFINITY = 0x7c00;

  private Float16() {}

  /**
   * The nearest half, the even one of two.
   *
   * @throws IllegalArgumentException for what no finite half is near to
   */
  static short bits(float value) {
    float magnitude = Math.abs(value);
    if (!(magnitude <= MOST)) {
      throw new IllegalArgumentException(value + " is no finite half");
    }
    int bits = Float.floatToRawIntBits(value);
    int sign = (bits >>> 16) & 0x8000;
    if (magnitude < SMALLEST_NORMAL) {
      return (short) (sign | (int) Math.rint(magnitude * UNITS_BELOW_NORMAL));
    }
    int unsigned = bits & Integer.MAX_VALUE;
    int odd = (unsigned >>> DROPPED_BITS) & 1;
    int rounded = (unsigned + HALF_OF_DROPPED - 1 + odd) >>> DROPPED_BITS;
    return (short) (sign | (rounded - (BIAS_DIFFERENCE << 10)));
  }

  /** The float of the same value. */
  static float value(short bits) {
    int magnitude = bits & Short.MAX_VALUE;
    float value;
    if (magnitude < 1 << 10) {
      value = (float) (magnitude / UNITS_BELOW_NORMAL);
    } else if (magnitude < INFINITY) {
      value = Float.intBitsToFloat((magnitude << DROPPED_BITS) + (BIAS_DIFFERENCE << 23));
    } else {
      value = magnitude == INFINITY ? Float.POSITIVE_INFINITY : Float.NaN;
    }
    return bits < 0 ? -value : value;
  }

  /**
   * An F32 tensor rounded to F16. What would become infinite or is not finite is refused.
   *
   * @param name of the tensor, for the refusal
   */
  public static TensorData narrow(String name, TensorData tensor) {
    float[] values = tensor.floats();
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(values.length, Short.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < values.length; i++) {
      if (!(Math.abs(values[i]) <= MOST)) {
        throw UserError.invalid(
            "tensor '%s' cannot be stored in float16: element %d is %s, and float16 holds finite"
                + " numbers up to 65504; keep it in float32",
            name, i, values[i]);
      }
      bytes.putShort(bits(values[i]));
    }
    return new TensorData(DType.F16, tensor.shape(), bytes.flip());
  }

  /** An F16 tensor as F32, without loss; any other is returned as it is. */
  public static TensorData widen(TensorData tensor) {
    if (tensor.dtype() != DType.F16) {
      return tensor;
    }
    ByteBuffer bytes = tensor.data();
    float[] values = new float[bytes.remaining() / Short.BYTES];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(bytes.getShort());
    }
    return TensorData.of(values, tensor.shape());
  }
}
