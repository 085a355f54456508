package dev.psm.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.AtomicFolders;
import dev.psm.core.io.Float16;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import dev.psm.core.io.Shards;
import dev.psm.core.io.TensorData;
import dev.psm.lab.Provenance;
import dev.psm.zeroshot.AgentFolder;
import dev.psm.zeroshot.AgentTensors;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.ZeroShotAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Makes of a run's agent a folder to give away: small, complete in itself, in files that any
 * repository takes, with where it comes from but no paths of the machine that trained it. The copy
 * is read back and compared with the original before it gets its name.
 */
public final class AgentExport {
  /** Below what code hosts and their reviewers like to take. */
  public static final long DEFAULT_SHARD_BYTES = 1_500_000;

  private static final String KEY = AgentTensors.EXPORT;

  private static final Pattern ABSOLUTE = Pattern.compile("(/|\\\\\\\\|[A-Za-z]:[/\\\\]).*");

  private AgentExport() {}

  /**
   * How to export.
   *
   * @param float16 whether to round weights and the sample's observations to half precision
   * @param sample how many states of the inference sample to keep; all where empty
   * @param shardBytes of a file of tensors, at most
   * @param replace whether an agent in the place may go
   */
  public record Options(boolean float16, OptionalInt sample, long shardBytes, boolean replace) {
    public Options {
      if (shardBytes < Shards.LEAST_BYTES) {
        throw UserError.argument(
            "shard", "a file needs at least %d bytes, found %d", Shards.LEAST_BYTES, shardBytes);
      }
      if (sample.isPresent() && sample.getAsInt() < 1) {
        throw UserError.argument(
            "sample", "at least 1 state must stay, found %d", sample.getAsInt());
      }
    }
  }

  /**
   * What was done.
   *
   * @param originalBytes of the original's files, of the same kind as those of the copy
   * @param files name and bytes of each
   * @param description everything that the copy says of itself
   */
  public record Result(
      String agent,
      String environment,
      long originalBytes,
      Map<String, Long> files,
      ObjectNode description,
      Agreement agreement) {
    public long bytes() {
      return files.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /**
   * Exports an agent.
   *
   * @param from a run's folder or an agent's
   * @param seed which of a run's; the lowest where empty
   */
  public static Result run(Path from, OptionalLong seed, Path out, Options options) {
    requireFree(out, options.replace);
    AgentFolder folder = AgentFolder.open(from);
    Path source = seed.isPresent() ? folder.agent(seed.getAsLong()) : folder.agent();
    ZeroShotAgent agent = ZeroShotAgent.read(source);
    int states = agent.sample().states(agent.environment());
    int kept = options.sample.orElse(states);
    if (kept > states) {
      throw UserError.argument(
          "sample", "%s has %d states in its sample, fewer than %d", source, states, kept);
    }
    if (agent.environment() instanceof FiniteWorld && kept < states) {
      throw UserError.argument(
          "sample", "%s needs all of its %d states, which its world is made of", source, states);
    }
    if (agent.environment() instanceof FiniteWorld && options.float16) {
      throw UserError.argument(
          "float16",
          "%s is a model of %s, whose measures span too many orders of magnitude for half precision;"
              + " export it as it is",
          source,
          agent.environment().name());
    }
    InferenceSample sample = agent.sample().first(kept, agent.environment());
    ZeroShotAgent shipped =
        new ZeroShotAgent(agent.name(), agent.model(), agent.environment(), sample);
    Map<String, TensorData> tensors = stored(shipped, options.float16);
    ObjectNode about = about(agent.description(), source);
    ObjectNode export = (ObjectNode) about.get(KEY);
    export.put("weights", options.float16 ? "float16" : "float32");
    boolean rounded = options.float16 && !agent.environment().quantitiesObserved();
    export.put("observations", rounded ? "float16" : "float32");
    export.put("quantities", "float32");
    export.put("sampleStates", kept).put("originalSampleStates", states);

    long originalBytes = files(source).values().stream().mapToLong(Long::longValue).sum();
    Agreement[] agreement = new Agreement[1];
    Consumer<Path> content =
        temporary -> {
          shipped.save(temporary, about, tensors, options.shardBytes);
          // What the reader will have, not what the writer meant.
          agreement[0] = Agreement.of(agent, ZeroShotAgent.load(temporary));
          Path file = temporary.resolve(ZeroShotAgent.DESCRIPTION);
          ObjectNode description = (ObjectNode) Json.read(file);
          ((ObjectNode) description.get(KEY)).set("agreement", agreement[0].toJson());
          Json.write(file, description);
          // Making it took a while, and somebody may have put something there.
          requireFree(out, options.replace);
        };
    if (options.replace) {
      AtomicFolders.write(out, content);
    } else {
      AtomicFolders.writeNew(out, content);
    }
    return new Result(
        agent.name(),
        agent.environment().name(),
        originalBytes,
        files(out),
        (ObjectNode) Json.read(out.resolve(ZeroShotAgent.DESCRIPTION)),
        agreement[0]);
  }

  private static Map<String, TensorData> stored(ZeroShotAgent agent, boolean float16) {
    Map<String, TensorData> stored = new LinkedHashMap<>();
    agent
        .tensors()
        .forEach(
            (name, tensor) -> {
              boolean half = float16 && !InferenceSample.mustBePrecise(name, agent.environment());
              stored.put(name, half ? Float16.narrow(name, tensor) : tensor);
            });
    return stored;
  }

  /** What the original says of itself, and where it comes from. */
  private static ObjectNode about(ObjectNode description, Path source) {
    ObjectNode about = ZeroShotAgent.about(description);
    JsonNode before = about.remove(KEY);
    ObjectNode export = Json.object();
    export.put("from", name(source));
    if (description.has("tensorsSha256")) {
      export.set("originalTensorsSha256", description.get("tensorsSha256"));
    }
    export.put("exported", Provenance.now());
    export.set("software", Provenance.software());
    if (before != null) {
      export.set("before", before);
    }
    runOf(source).ifPresent(run -> addRun(about, run));
    withoutPaths(about);
    about.set(KEY, export);
    return about;
  }

  /** Such as {@code walker/seed-0}: enough to know it by, and nothing of where it lay. */
  private static String name(Path source) {
    Path path = source.toAbsolutePath().normalize();
    int count = path.getNameCount();
    boolean ofRun = count > 1 && runOf(source).isPresent();
    return count == 0 ? "" : path.subpath(count - (ofRun ? 2 : 1), count).toString();
  }

  private static Optional<JsonNode> runOf(Path source) {
    Path parent = source.toAbsolutePath().normalize().getParent();
    return parent != null && AgentFolder.isRun(parent)
        ? Optional.of(Json.read(parent.resolve(AgentFolder.RUN)))
        : Optional.empty();
  }

  /** What only the run says: which other seeds there were, and more of the data. */
  private static void addRun(ObjectNode about, JsonNode run) {
    if (run.path("seeds").isArray()) {
      about.set("seedsOfRun", run.get("seeds"));
    }
    ObjectNode data = about.withObjectProperty("data");
    run.path("data")
        .properties()
        .forEach(
            field -> {
              if (!data.has(field.getKey())) {
                data.set(field.getKey(), field.getValue());
              }
            });
    if (data.isEmpty()) {
      about.remove("data");
    }
  }

  /** Of every absolute path only the last name stays. */
  private static void withoutPaths(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object
          .properties()
          .forEach(
              field -> {
                if (isPath(field.getValue())) {
                  field.setValue(lastName(field.getValue()));
                }
                withoutPaths(field.getValue());
              });
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        if (isPath(array.get(i))) {
          array.set(i, lastName(array.get(i)));
        }
        withoutPaths(array.get(i));
      }
    }
  }

  private static boolean isPath(JsonNode node) {
    return node.isTextual() && ABSOLUTE.matcher(node.textValue()).matches();
  }

  private static TextNode lastName(JsonNode path) {
    String text = path.textValue().replaceFirst("[/\\\\]+$", "");
    return TextNode.valueOf(
        text.substring(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1));
  }

  /** Refuses a place where something other than an agent would be lost. */
  private static void requireFree(Path out, boolean replace) {
    boolean there = OutputFolder.holds(out, "an agent", ZeroShotAgent::isIn);
    for (Path file : OutputFolder.list(out)) {
      String name = file.getFileName().toString();
      if (!AgentTensors.owns(name) || !Files.isRegularFile(file)) {
        throw UserError.argument(
            "out",
            "%s holds more than an agent, such as %s, which would be lost; choose another"
                + " folder, or move it away",
            out,
            name);
      }
    }
    if (there && !replace) {
      throw UserError.argument(
              "out", "%s already holds an agent; replace it, or choose another folder", out)
          .with(Remedy.REPLACE);
    }
  }

  private static Map<String, Long> files(Path folder) {
    Map<String, Long> sizes = new LinkedHashMap<>();
    for (Path file : OutputFolder.list(folder)) {
      String name = file.getFileName().toString();
      if (AgentTensors.owns(name)) {
        try {
          sizes.put(name, Files.size(file));
        } catch (IOException e) {
          throw AtomicFiles.explain("read", file, e);
        }
      }
    }
    return sizes;
  }
}
