package dev.psm.core.io.onnx;

import dev.psm.core.io.ProtobufMessage;

/** A setting of a node, as an AttributeProto. */
public final class OnnxAttribute {
  private static final int TYPE_FLOAT = 1;
  private static final int TYPE_INT = 2;
  private static final int TYPE_INTS = 7;

  private final ProtobufMessage message = new ProtobufMessage();

  private OnnxAttribute(String name) {
    message.text(1, name);
  }

  public static OnnxAttribute ofFloat(String name, float value) {
    OnnxAttribute attribute = new OnnxAttribute(name);
    attribute.message.fixed32(2, Float.floatToIntBits(value)).varint(20, TYPE_FLOAT);
    return attribute;
  }

  public static OnnxAttribute ofInt(String name, long value) {
    OnnxAttribute attribute = new OnnxAttribute(name);
    attribute.message.varint(3, value).varint(20, TYPE_INT);
    return attribute;
  }

  public static OnnxAttribute ofInts(String name, long... values) {
    OnnxAttribute attribute = new OnnxAttribute(name);
    for (long value : values) {
      attribute.message.varint(8, value);
    }
    attribute.message.varint(20, TYPE_INTS);
    return attribute;
  }

  ProtobufMessage message() {
    return message;
  }
}
