package dev.psm.core.io.onnx;

import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.ProtobufMessage;
import java.nio.file.Path;
import java.util.Map;

/**
 * An ONNX file, as a ModelProto.
 *
 * @param producerVersion of psm
 * @param metadata what is known of the model, by name
 */
public record OnnxModel(OnnxGraph graph, String producerVersion, Map<String, String> metadata) {
  /** The first with LayerNormalization. */
  private static final int OPERATOR_SET = 17;

  /** Of ONNX 1.12, the release that brought that operator set. */
  private static final int IR_VERSION = 8;

  private static final String PRODUCER = "psm";

  /** What readers of protocol buffers take. */
  private static final long MAX_BYTES = Integer.MAX_VALUE;

  /**
   * Writes the whole file or none.
   *
   * @return its bytes
   */
  public long write(Path file) {
    ProtobufMessage message = message();
    if (message.size() > MAX_BYTES) {
      throw UserError.invalid(
          "%s would have %,d bytes, and an ONNX file can have at most %,d; the networks are too"
              + " large for it",
          file, message.size(), MAX_BYTES);
    }
    AtomicFiles.write(file, message::writeTo);
    return message.size();
  }

  ProtobufMessage message() {
    ProtobufMessage model =
        new ProtobufMessage()
            .varint(1, IR_VERSION)
            .text(2, PRODUCER)
            .text(3, producerVersion)
            .text(6, graph.description())
            .message(7, graph.message())
            .message(8, new ProtobufMessage().text(1, "").varint(2, OPERATOR_SET));
    metadata.forEach(
        (key, value) -> model.message(14, new ProtobufMessage().text(1, key).text(2, value)));
    return model;
  }
}
