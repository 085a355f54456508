package dev.psm.core.io;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON header of a safetensors file, checked field by field against the data it describes. */
final class SafetensorsHeader {
  private static final String METADATA = "__metadata__";
  private static final List<String> FIELDS = List.of("dtype", "shape", "data_offsets");

  private final Map<String, Entry> entries;
  private final Map<String, String> metadata;

  SafetensorsHeader(Map<String, Entry> entries, Map<String, String> metadata) {
    this.entries = entries;
    this.metadata = metadata;
  }

  /** One tensor; the offsets count from the start of the data. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(DType dtype, long[] shape, long begin, long end) {}

  Map<String, Entry> entries() {
    return entries;
  }

  Map<String, String> metadata() {
    return metadata;
  }

  String toJson() {
    ObjectNode root = Json.object();
    if (!metadata.isEmpty()) {
      metadata.forEach(root.putObject(METADATA)::put);
    }
    entries.forEach(
        (name, entry) -> {
          if (name.equals(METADATA)) {
            throw new IllegalArgumentException("no tensor can be called " + METADATA);
          }
          ObjectNode node = root.putObject(name).put("dtype", entry.dtype().name());
          ArrayNode shape = node.putArray("shape");
          Arrays.stream(entry.shape()).forEach(shape::add);
          node.putArray("data_offsets").add(entry.begin()).add(entry.end());
        });
    return Json.line(root);
  }

  static SafetensorsHeader parse(byte[] text, long dataBytes, Path file) {
    if (text.length == 0 || text[0] != '{') {
      throw Safetensors.damaged(file, "its header does not start with {");
    }
    JsonNode root;
    try {
      String name = "the header of " + file;
      root = Json.parse(Json.decode(text, name), name);
    } catch (UserError e) {
      throw Safetensors.damaged(file, "%s", e.getMessage());
    }
    Map<String, Entry> entries = new LinkedHashMap<>();
    Map<String, String> metadata = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> property : root.properties()) {
      if (property.getKey().equals(METADATA)) {
        readMetadata(property.getValue(), metadata, file);
      } else {
        String name = requirePlain(property.getKey(), file);
        entries.put(name, readEntry(name, property.getValue(), file));
      }
    }
    checkOffsets(entries, dataBytes, file);
    return new SafetensorsHeader(entries, metadata);
  }

  /** Later errors tell names as they are. */
  private static String requirePlain(String name, Path file) {
    if (!Wording.oneLine(name).equals(name)) {
      throw Safetensors.damaged(
          file, "the tensor name \"%s\" has a line break", Wording.oneLine(name));
    }
    return name;
  }

  private static void readMetadata(JsonNode node, Map<String, String> metadata, Path file) {
    if (!node.isObject()) {
      throw Safetensors.damaged(file, "%s must be an object, found %s", METADATA, brief(node));
    }
    for (Map.Entry<String, JsonNode> property : node.properties()) {
      if (!property.getValue().isTextual()) {
        throw Safetensors.damaged(
            file,
            "metadata \"%s\" must be text, found %s",
            Wording.oneLine(property.getKey()),
            brief(property.getValue()));
      }
      metadata.put(property.getKey(), property.getValue().textValue());
    }
  }

  private static Entry readEntry(String name, JsonNode node, Path file) {
    if (!node.isObject()) {
      throw Safetensors.damaged(
          file, "tensor \"%s\" must be an object, found %s", name, brief(node));
    }
    for (String field : FIELDS) {
      if (!node.has(field)) {
        throw Safetensors.damaged(file, "tensor \"%s\" has no \"%s\"", name, field);
      }
    }
    node.fieldNames()
        .forEachRemaining(
            field -> {
              if (!FIELDS.contains(field)) {
                throw Safetensors.damaged(
                    file,
                    "tensor \"%s\" has an unknown field \"%s\"",
                    name,
                    Wording.oneLine(field));
              }
            });
    DType dtype = readDtype(name, node.get("dtype"), file);
    long[] shape = readLongs(name, "shape", node.get("shape"), file);
    long[] offsets = readLongs(name, "data_offsets", node.get("data_offsets"), file);
    if (offsets.length != 2) {
      throw Safetensors.damaged(
          file, "tensor \"%s\": data_offsets must be two numbers, found %d", name, offsets.length);
    }
    return new Entry(dtype, shape, offsets[0], offsets[1]);
  }

  private static DType readDtype(String name, JsonNode node, Path file) {
    for (DType dtype : DType.values()) {
      if (dtype.name().equals(node.textValue())) {
        return dtype;
      }
    }
    throw Safetensors.damaged(
        file,
        "tensor \"%s\": dtype must be one of %s, found %s",
        name,
        Arrays.toString(DType.values()),
        brief(node));
  }

  private static long[] readLongs(String name, String field, JsonNode node, Path file) {
    if (!node.isArray()) {
      throw Safetensors.damaged(
          file, "tensor \"%s\": %s must be a list, found %s", name, field, brief(node));
    }
    long[] values = new long[node.size()];
    for (int i = 0; i < values.length; i++) {
      JsonNode number = node.get(i);
      if (!number.isIntegralNumber() || !number.canConvertToLong() || number.longValue() < 0) {
        throw Safetensors.damaged(
            file,
            "tensor \"%s\": %s must hold whole numbers from 0, found %s",
            name,
            field,
            brief(number));
      }
      values[i] = number.longValue();
    }
    return values;
  }

  private static void checkOffsets(Map<String, Entry> entries, long dataBytes, Path file) {
    List<Map.Entry<String, Entry>> sorted = new ArrayList<>(entries.entrySet());
    sorted.sort(
        Comparator.comparingLong((Map.Entry<String, Entry> e) -> e.getValue().begin())
            .thenComparingLong(e -> e.getValue().end()));
    long covered = 0;
    for (Map.Entry<String, Entry> named : sorted) {
      String name = named.getKey();
      Entry entry = named.getValue();
      if (entry.end() < entry.begin()) {
        throw Safetensors.damaged(
            file, "tensor \"%s\" ends at %d before it begins", name, entry.end());
      }
      if (entry.end() > dataBytes) {
        throw Safetensors.damaged(
            file,
            "tensor \"%s\" ends at byte %d of only %d: the file is truncated",
            name,
            entry.end(),
            dataBytes);
      }
      if (entry.begin() < covered) {
        throw Safetensors.damaged(
            file, "tensor \"%s\" overlaps another at byte %d", name, entry.begin());
      }
      if (entry.begin() > covered) {
        throw Safetensors.damaged(
            file, "bytes %d to %d before tensor \"%s\" are a hole", covered, entry.begin(), name);
      }
      checkSize(name, entry, file);
      covered = entry.end();
    }
    if (covered < dataBytes) {
      throw Safetensors.damaged(
          file, "%d bytes follow the last tensor's end at %d", dataBytes - covered, covered);
    }
  }

  private static void checkSize(String name, Entry entry, Path file) {
    long expected;
    try {
      expected = Math.multiplyExact(TensorData.product(entry.shape()), entry.dtype().bytes());
    } catch (ArithmeticException e) {
      throw Safetensors.damaged(file, "tensor \"%s\": the size of its shape overflows", name);
    }
    long found = entry.end() - entry.begin();
    if (found != expected) {
      throw Safetensors.damaged(
          file,
          "tensor \"%s\": %s%s takes %d bytes, its offsets span %d",
          name,
          entry.dtype(),
          Arrays.toString(entry.shape()),
          expected,
          found);
    }
    if (found > Integer.MAX_VALUE - 8) {
      throw Safetensors.damaged(
          file, "tensor \"%s\" has %d bytes; up to 2 GiB are supported", name, found);
    }
  }

  private static String brief(JsonNode node) {
    String text = node.toString();
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
