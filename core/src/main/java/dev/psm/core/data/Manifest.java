package dev.psm.core.data;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.io.Hashes;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The file that says what belongs to a dataset. It is replaced as a whole after the files that it
 * names are safely on disk, so whatever it lists is there, and whatever it does not list never
 * happened.
 *
 * @param psm the version that created the dataset
 * @param created when, as ISO 8601
 * @param checkpoint the collector's own state after the last episode listed
 */
record Manifest(
    DatasetDescription description,
    String psm,
    String created,
    List<ChunkEntry> chunks,
    Optional<FileEntry> checkpoint) {
  static final String NAME = "dataset.json";
  static final int FORMAT = 1;
  private static final Pattern CHECKPOINT = Pattern.compile("checkpoint-[0-9]{6,9}\\.state");
  private static final List<String> KEYS =
      List.of(
          "format",
          "environment",
          "world",
          "engine",
          "collector",
          "seed",
          "psm",
          "created",
          "columns",
          "episodes",
          "transitions",
          "chunks",
          "checkpoint");

  Manifest {
    chunks = List.copyOf(chunks);
  }

  /** A file as it was when it was written. */
  record FileEntry(String file, long bytes, String sha256) {
    /** Reads the whole file; one that is not as it was written is refused. */
    void requireIntact(Path folder) {
      Path path = folder.resolve(file);
      String found = Hashes.sha256(path);
      if (!found.equals(sha256)) {
        throw UserError.failed(
            null,
            "%s has the hash %s, and %s says %s; it was damaged or edited: copy it again",
            path,
            found,
            NAME,
            sha256);
      }
    }
  }

  record ChunkEntry(FileEntry stored, int episodes, int rows) {}

  long episodes() {
    return chunks.stream().mapToLong(ChunkEntry::episodes).sum();
  }

  long rows() {
    return chunks.stream().mapToLong(ChunkEntry::rows).sum();
  }

  long transitions() {
    return rows() - episodes();
  }

  /** Decided by the environment and the contents of the chunks in their order. */
  String fingerprint() {
    StringBuilder text = new StringBuilder(description.environment()).append('\n');
    chunks.forEach(chunk -> text.append(chunk.stored().sha256()).append('\n'));
    return Hashes.sha256(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  static String chunkName(int index) {
    return String.format(Locale.ROOT, "chunk-%06d.safetensors", index);
  }

  static String checkpointName(int index) {
    return String.format(Locale.ROOT, "checkpoint-%06d.state", index);
  }

  static boolean isIn(Path folder) {
    return Files.isRegularFile(folder.resolve(NAME));
  }

  static void requireIn(Path folder) {
    if (!isIn(folder)) {
      throw UserError.invalid(
          "%s holds no dataset: there is no %s in it; give the folder of a dataset, not one above"
              + " or inside it",
          folder, NAME);
    }
  }

  void write(Path folder) {
    ObjectNode root = Json.object();
    root.put("format", FORMAT);
    root.put("environment", description.environment());
    description.stored().ifPresent(world -> root.set("world", world.toJson()));
    root.put("engine", description.engine());
    ObjectNode collector = root.putObject("collector").put("name", description.collector());
    collector.set("settings", description.settings());
    root.put("seed", description.seed());
    root.put("psm", psm);
    root.put("created", created);
    Columns columns = description.columns();
    ObjectNode sizes = root.putObject("columns");
    sizes.put(Columns.OBSERVATION, columns.observation());
    sizes.put(Columns.ACTION, columns.action());
    if (columns.physics() > 0) {
      sizes.put(Columns.PHYSICS, columns.physics());
    }
    columns.extras().forEach(sizes::put);
    root.put("episodes", episodes());
    root.put("transitions", transitions());
    ArrayNode list = root.putArray("chunks");
    for (ChunkEntry chunk : chunks) {
      ObjectNode node = list.addObject();
      put(node, chunk.stored()).put("episodes", chunk.episodes()).put("rows", chunk.rows());
    }
    checkpoint.ifPresent(entry -> put(root.putObject("checkpoint"), entry));
    Json.write(folder.resolve(NAME), root);
  }

  static Manifest read(Path folder) {
    requireIn(folder);
    JsonField root = JsonField.read(folder.resolve(NAME));
    root.requireFormat(FORMAT);
    root.checkKeys(KEYS);
    List<ChunkEntry> chunks = new ArrayList<>();
    for (JsonField chunk : root.get("chunks").elements()) {
      chunks.add(readChunk(chunk, chunks.size()));
    }
    Optional<FileEntry> checkpoint = Optional.empty();
    if (root.has("checkpoint")) {
      JsonField field = root.get("checkpoint");
      field.checkKeys(List.of("file", "bytes", "sha256"));
      FileEntry stored = readFile(field);
      if (!CHECKPOINT.matcher(stored.file()).matches()) {
        throw unexpected(field.get("file"), "a name like " + checkpointName(0));
      }
      checkpoint = Optional.of(stored);
    }
    Manifest manifest =
        new Manifest(
            readDescription(root),
            root.get("psm").text(),
            root.get("created").text(),
            chunks,
            checkpoint);
    checkTotal(root.get("episodes"), manifest.episodes());
    checkTotal(root.get("transitions"), manifest.transitions());
    return manifest;
  }

  private static DatasetDescription readDescription(JsonField root) {
    JsonField collector = root.get("collector");
    collector.checkKeys(List.of("name", "settings"));
    return new DatasetDescription(
        root.get("environment").text(),
        StoredWorld.in(root),
        root.get("engine").text(),
        collector.get("name").text(),
        collector.get("settings").object(),
        root.get("seed").whole(Long.MIN_VALUE, Long.MAX_VALUE),
        readColumns(root.get("columns")));
  }

  private static Columns readColumns(JsonField sizes) {
    Map<String, Integer> extras = new TreeMap<>();
    for (Iterator<String> names = sizes.object().fieldNames(); names.hasNext(); ) {
      String name = names.next();
      extras.put(name, sizes.get(name).integer(1, Columns.MAX_WIDTH));
    }
    for (String needed : List.of(Columns.OBSERVATION, Columns.ACTION)) {
      if (!extras.containsKey(needed)) {
        throw sizes.error("key '%s' is missing".formatted(needed));
      }
    }
    int observation = extras.remove(Columns.OBSERVATION);
    int action = extras.remove(Columns.ACTION);
    Integer physics = extras.remove(Columns.PHYSICS);
    return sizes.within(
        () -> new Columns(observation, action, physics == null ? 0 : physics, extras));
  }

  private static ChunkEntry readChunk(JsonField chunk, int index) {
    chunk.checkKeys(List.of("file", "bytes", "sha256", "episodes", "rows"));
    int episodes = chunk.get("episodes").integer(1, Integer.MAX_VALUE);
    int rows = chunk.get("rows").integer(1, Integer.MAX_VALUE);
    if (rows < 2L * episodes) {
      throw chunk
          .get("rows")
          .error(
              "%d rows are too few for %d episodes, which have at least two each"
                  .formatted(rows, episodes));
    }
    FileEntry stored = readFile(chunk);
    // Names in order are never twice, nor outside the folder.
    if (!stored.file().equals(chunkName(index))) {
      throw unexpected(chunk.get("file"), chunkName(index));
    }
    return new ChunkEntry(stored, episodes, rows);
  }

  private static FileEntry readFile(JsonField field) {
    String file = field.get("file").text();
    long bytes = field.get("bytes").whole(0, Long.MAX_VALUE);
    return new FileEntry(file, bytes, field.get("sha256").sha256());
  }

  private static UserError unexpected(JsonField field, String expected) {
    return field.error("expected %s, found %s".formatted(expected, field.text()));
  }

  private static void checkTotal(JsonField field, long sum) {
    if (field.whole(0, Long.MAX_VALUE) != sum) {
      throw field.error(
          "the chunks have %d together, found %d; the file was edited, or is damaged"
              .formatted(sum, field.whole(0, Long.MAX_VALUE)));
    }
  }

  private static ObjectNode put(ObjectNode node, FileEntry entry) {
    return node.put("file", entry.file()).put("bytes", entry.bytes()).put("sha256", entry.sha256());
  }
}
