package dev.psm.core.io;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Named tensors in several safetensors files of bounded size, for places that take no large ones.
 *
 * <p>An index says which tensors lie in which file, and each file's size and hash. A tensor larger
 * than a file is cut: its elements {@code begin} to {@code end} in row-major order lie under {@code
 * name[begin:end]}, and the index has its shape.
 *
 * <pre>{@code
 * {"shards": [{"file": "model-00001-of-00002.safetensors", "bytes": 1499992, "sha256": "…",
 *              "tensors": ["bias", "weight[0:749000]"]}, …],
 *  "cut": {"weight": [1024, 1024]}}
 * }</pre>
 */
public final class Shards {
  /** Room for a header and some data. */
  public static final long LEAST_BYTES = 4_000;

  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,200}");
  private static final Pattern PIECE =
      Pattern.compile("(.+)\\[(\\d{1,18}):(\\d{1,18})\\]", Pattern.DOTALL);

  /** As much as the digits of offsets can add to a header, with its padding. */
  private static final int HEADER_SLACK = 64;

  private Shards() {}

  /**
   * Writes into a folder.
   *
   * @param stem what the files' names begin with
   * @param maxBytes of a file, header included
   * @return the index that {@link #read} wants
   */
  public static ObjectNode write(
      Path folder,
      String stem,
      Map<String, TensorData> tensors,
      Map<String, String> metadata,
      long maxBytes) {
    ObjectNode index = Json.object();
    ArrayNode list = index.putArray("shards");
    ObjectNode cut = Json.object();
    List<Map<String, TensorData>> shards = new Packing(metadata, maxBytes).pack(tensors, cut);
    for (int i = 0; i < shards.size(); i++) {
      Map<String, TensorData> shard = shards.get(i);
      String name =
          String.format(Locale.ROOT, "%s-%05d-of-%05d.safetensors", stem, i + 1, shards.size());
      ObjectNode node = list.addObject().put("file", name);
      node.put("bytes", Safetensors.size(shard, metadata));
      node.put("sha256", Safetensors.write(folder.resolve(name), shard, metadata));
      shard.keySet().forEach(node.putArray("tensors")::add);
    }
    if (!cut.isEmpty()) {
      index.set("cut", cut);
    }
    return index;
  }

  /** Fills files in the order of the tensors; only what no file of its own could hold is cut. */
  private static final class Packing {
    private final Map<String, String> metadata;
    private final long maxBytes;
    private final List<Map<String, TensorData>> shards = new ArrayList<>();

    Packing(Map<String, String> metadata, long maxBytes) {
      this.metadata = metadata;
      this.maxBytes = maxBytes;
      if (maxBytes < LEAST_BYTES) {
        throw new IllegalArgumentException("no tensor fits into " + maxBytes + " bytes");
      }
    }

    List<Map<String, TensorData>> pack(Map<String, TensorData> tensors, ObjectNode cut) {
      shards.add(new LinkedHashMap<>());
      tensors.forEach(
          (name, tensor) -> {
            if (PIECE.matcher(name).matches()) {
              throw new IllegalArgumentException(name + " is a name for pieces of tensors");
            }
            if (fits(last(), name, tensor)) {
              last().put(name, tensor);
            } else if (fits(Map.of(), name, tensor)) {
              shards.add(new LinkedHashMap<>(Map.of(name, tensor)));
            } else {
              Arrays.stream(tensor.shape()).forEach(cut.putArray(name)::add);
              cut(name, tensor);
            }
          });
      return shards;
    }

    private Map<String, TensorData> last() {
      return shards.get(shards.size() - 1);
    }

    private boolean fits(Map<String, TensorData> shard, String name, TensorData tensor) {
      return size(shard, name, tensor) <= maxBytes;
    }

    private long size(Map<String, TensorData> shard, String name, TensorData tensor) {
      Map<String, TensorData> with = new LinkedHashMap<>(shard);
      with.put(name, tensor);
      return Safetensors.size(with, metadata);
    }

    private void cut(String name, TensorData tensor) {
      int width = tensor.dtype().bytes();
      long count = tensor.elementCount();
      TensorData nothing = new TensorData(tensor.dtype(), new long[] {0}, ByteBuffer.allocate(0));
      long begin = 0;
      while (begin < count) {
        long empty = size(last(), piece(name, count, count), nothing) + HEADER_SLACK;
        long room = Math.min(count - begin, (maxBytes - empty) / width);
        if (room <= 0) {
          if (last().isEmpty()) {
            throw new IllegalArgumentException(
                "a header with '%s' leaves no room in %d bytes".formatted(name, maxBytes));
          }
          shards.add(new LinkedHashMap<>());
          continue;
        }
        ByteBuffer data = tensor.data();
        data = data.slice(Math.toIntExact(begin * width), Math.toIntExact(room * width));
        last()
            .put(
                piece(name, begin, begin + room),
                new TensorData(tensor.dtype(), new long[] {room}, data));
        begin += room;
      }
    }
  }

  private static String piece(String name, long begin, long end) {
    return name + "[" + begin + ":" + end + "]";
  }

  /**
   * Reads what {@link #write} wrote, in its order. A file or a tensor that is missing, damaged, in
   * another's place or too many is refused by name.
   *
   * @param remedy what whoever has a bad folder can do
   */
  public static Map<String, TensorData> read(Path folder, JsonField index, String remedy) {
    index.checkKeys(List.of("shards", "cut"));
    List<JsonField> shards = index.get("shards").elements();
    Map<String, String> hashes = new LinkedHashMap<>();
    for (JsonField shard : shards) {
      shard.checkKeys(List.of("file", "bytes", "sha256", "tensors"));
      JsonField name = shard.get("file");
      // The index may come from anywhere, and must not lead out of its folder.
      if (!PLAIN_NAME.matcher(name.text()).matches()) {
        throw name.error("expected the name of a file in the folder, found '" + name.text() + "'");
      }
      shard.get("bytes").whole(0, Long.MAX_VALUE);
      if (hashes.put(name.text(), shard.get("sha256").sha256()) != null) {
        throw name.error("'" + name.text() + "' is listed twice");
      }
    }
    for (JsonField shard : shards) {
      verify(folder.resolve(shard.get("file").text()), shard, hashes, remedy);
    }
    Map<String, TensorData> parts = new LinkedHashMap<>();
    for (JsonField shard : shards) {
      Path file = folder.resolve(shard.get("file").text());
      Map<String, TensorData> found = Safetensors.read(file).tensors();
      Set<String> listed = new TreeSet<>();
      for (JsonField tensor : shard.get("tensors").elements()) {
        listed.add(tensor.text());
        if (!found.containsKey(tensor.text())) {
          throw UserError.invalid(
              "%s: tensor '%s' is missing, which the index lists; %s", file, tensor.text(), remedy);
        }
        if (parts.put(tensor.text(), found.get(tensor.text())) != null) {
          throw tensor.error("tensor '%s' is listed twice".formatted(tensor.text()));
        }
      }
      for (String name : found.keySet()) {
        if (!listed.contains(name)) {
          throw UserError.invalid(
              "%s: tensor '%s' is not in the index, so it does not belong there; %s",
              file, name, remedy);
        }
      }
    }
    return joined(parts, index, remedy);
  }

  private static void verify(
      Path file, JsonField shard, Map<String, String> hashes, String remedy) {
    if (!Files.isRegularFile(file)) {
      throw UserError.invalid(
          "%s is missing, one of the %d files that the tensors lie in; %s",
          file, hashes.size(), remedy);
    }
    JsonField bytes = shard.get("bytes");
    long expected = bytes.whole(0, Long.MAX_VALUE);
    long found = size(file);
    String hash = Hashes.sha256(file);
    if (hash.equals(shard.get("sha256").text())) {
      if (found != expected) {
        throw bytes.error(
            "expected %d, which is the size of %s, found %d; %s"
                .formatted(found, file, expected, remedy));
      }
      return;
    }
    for (Map.Entry<String, String> other : hashes.entrySet()) {
      if (hash.equals(other.getValue())) {
        throw UserError.invalid(
            "%s holds what belongs into %s: the files have changed places; give them their names"
                + " again, or %s",
            file, other.getKey(), remedy);
      }
    }
    if (found != expected) {
      throw UserError.invalid(
          "%s has %d bytes, expected %d: it was %s; %s",
          file, found, expected, found < expected ? "cut short" : "added to", remedy);
    }
    throw UserError.invalid(
        "%s does not match its checksum in the index, so it was damaged, edited or is another's;"
            + " %s",
        file, remedy);
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw AtomicFiles.explain("read", file, e);
    }
  }

  /** Elements of a tensor that was cut. */
  private record Piece(long begin, long end, TensorData data) {}

  private static Map<String, TensorData> joined(
      Map<String, TensorData> parts, JsonField index, String remedy) {
    Map<String, TensorData> whole = new LinkedHashMap<>();
    Map<String, List<Piece>> pieces = new LinkedHashMap<>();
    parts.forEach(
        (name, data) -> {
          Matcher piece = PIECE.matcher(name);
          if (piece.matches()) {
            long begin = Long.parseLong(piece.group(2));
            long end = Long.parseLong(piece.group(3));
            pieces
                .computeIfAbsent(piece.group(1), any -> new ArrayList<>())
                .add(new Piece(begin, end, data));
            whole.put(piece.group(1), null);
          } else {
            whole.put(name, data);
          }
        });
    Map<String, long[]> shapes = shapes(index);
    for (String name : shapes.keySet()) {
      if (!pieces.containsKey(name)) {
        throw index.error(
            "tensor '%s' was cut, but none of its pieces are listed; %s".formatted(name, remedy));
      }
    }
    pieces.forEach(
        (name, list) -> {
          if (!shapes.containsKey(name)) {
            throw index.error(
                "there are pieces of tensor '%s', which is not among those that were cut; %s"
                    .formatted(name, remedy));
          }
          whole.put(name, join(name, list, shapes.get(name), index, remedy));
        });
    return whole;
  }

  private static Map<String, long[]> shapes(JsonField index) {
    Map<String, long[]> shapes = new LinkedHashMap<>();
    if (index.has("cut")) {
      JsonField cut = index.get("cut");
      cut.object()
          .fieldNames()
          .forEachRemaining(
              name ->
                  shapes.put(
                      name,
                      cut.get(name).elements().stream()
                          .mapToLong(size -> size.whole(0, Integer.MAX_VALUE))
                          .toArray()));
    }
    return shapes;
  }

  private static TensorData join(
      String name, List<Piece> pieces, long[] shape, JsonField index, String remedy) {
    pieces.sort(Comparator.comparingLong(Piece::begin).thenComparingLong(Piece::end));
    DType dtype = pieces.get(0).data.dtype();
    long covered = 0;
    for (Piece piece : pieces) {
      if (piece.begin != covered
          || piece.end - piece.begin != piece.data.elementCount()
          || piece.data.dtype() != dtype) {
        throw index.error(
            "piece %s does not follow on element %d of %s, or is not what it says; %s"
                .formatted(piece(name, piece.begin, piece.end), covered, dtype, remedy));
      }
      covered = piece.end;
    }
    if (covered != count(shape)) {
      throw index.error(
          "the pieces of tensor '%s' have %d elements, expected those of shape %s; %s"
              .formatted(name, covered, Arrays.toString(shape), remedy));
    }
    if (covered > (Integer.MAX_VALUE - 8) / dtype.bytes()) {
      throw index.error("tensor '%s' is larger than the 2 GiB supported".formatted(name));
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) covered * dtype.bytes());
    pieces.forEach(piece -> bytes.put(piece.data.data()));
    return new TensorData(dtype, shape, bytes.flip());
  }

  /** Of a shape's elements; −1, which no tensor has, where they are beyond counting. */
  private static long count(long[] shape) {
    try {
      return TensorData.product(shape);
    } catch (ArithmeticException e) {
      return -1;
    }
  }
}
