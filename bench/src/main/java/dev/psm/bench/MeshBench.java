package dev.psm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.discrete.MeshPsm;
import dev.psm.agents.discrete.MeshPsmSettings;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Machine;
import dev.psm.lab.Progress;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Time and memory of a gradient step of affine PSM by the size of its mesh, each mesh in a process
 * of its own, beside the bound that is stated beforehand; and a mesh that is refused.
 */
public final class MeshBench {
  /** The mesh that the others' time per pair is compared with. */
  private static final Mesh REFERENCE = new Mesh(64, 64);

  public static final List<Mesh> MESHES =
      List.of(
          new Mesh(16, 16),
          REFERENCE,
          new Mesh(128, 128),
          new Mesh(256, 256),
          new Mesh(1024, 64),
          new Mesh(1024, 256));

  /** All of its pairs at once fit into no machine. */
  private static final Mesh TOO_LARGE = new Mesh(65_536, 65_536);

  /**
   * A heap that is there from the beginning and stays as it is, so that only tensors change the
   * process's size.
   */
  private static final List<String> HEAP =
      List.of("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC");

  private MeshBench() {}

  /** Rows and columns. */
  public record Mesh(int rows, int columns) {
    /** As in 128x64. */
    public static Mesh parse(String text) {
      String[] parts = text.strip().split("x", -1);
      try {
        if (parts.length == 2) {
          return new Mesh(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
        }
      } catch (NumberFormatException e) {
        // Said below.
      }
      throw UserError.invalid("a mesh is ROWSxCOLUMNS, as in 128x64, found '%s'", text);
    }

    long pairs() {
      return (long) rows * columns;
    }

    @Override
    public String toString() {
      return rows + "x" + columns;
    }
  }

  /**
   * @param seeds side by side
   * @param seconds that each mesh takes
   * @param overrides of the settings
   */
  public record Plan(List<Mesh> meshes, int seeds, double seconds, List<String> overrides) {
    public Plan {
      for (String each : overrides) {
        if (each.startsWith("meshRows=") || each.startsWith("meshColumns=")) {
          throw UserError.invalid(
              "%s: which meshes are measured is said apart from the settings", each);
        }
      }
    }

    /** Every step also learns enriched codes, unless told otherwise: those cost the most. */
    MeshPsmSettings settings(Mesh mesh) {
      MeshPsmSettings base = MeshPsmSettings.presets(SyntheticArm.WORLD).get("small");
      base = Settings.override(base, List.of("enrichmentStart=0"));
      return Settings.override(
          Settings.override(base, overrides),
          List.of("meshRows=" + mesh.rows, "meshColumns=" + mesh.columns));
    }
  }

  /**
   * What was measured: a document, and the same for people.
   *
   * @param measured whether anything was; else all that was asked for was refused
   */
  public record Result(ObjectNode json, String text, boolean measured) {}

  public static Result run(Plan plan, Progress progress) {
    List<MeshPsmSettings> settings = plan.meshes.stream().map(mesh -> plan.settings(mesh)).toList();
    MeshPsmSettings tooLarge =
        Settings.override(plan.settings(TOO_LARGE), List.of("pairsAtOnce=" + Integer.MAX_VALUE));
    ObjectNode document = Json.object().put("machine", Machine.cpu()).put("seeds", plan.seeds);
    ArrayNode steps = document.putArray("meshes");
    try (TemporaryFolder folder =
            TemporaryFolder.in(Path.of(System.getProperty("java.io.tmpdir")));
        Progress.Bar bar = progress.start("meshes", settings.size() + 1)) {
      Path data = folder.path().resolve("dataset");
      SyntheticArm.write(data);
      for (int i = 0; i < settings.size(); i++) {
        describe(plan, settings.get(i), probe(plan, settings.get(i), data), steps.addObject());
        bar.update(i + 1, plan.meshes.get(i).toString());
      }
      document
          .putObject("tooLarge")
          .put("rows", TOO_LARGE.rows)
          .put("columns", TOO_LARGE.columns)
          .set("refused", probe(plan, tooLarge, data).path("refused"));
      bar.update(settings.size() + 1, TOO_LARGE.toString());
    }
    compare(steps);
    boolean measured = false;
    for (JsonNode step : steps) {
      measured |= !step.has("refused");
    }
    return new Result(document, text(document), measured);
  }

  private static void describe(
      Plan plan, MeshPsmSettings settings, JsonNode found, ObjectNode node) {
    Mesh mesh = new Mesh(settings.meshRows(), settings.meshColumns());
    node.put("rows", mesh.rows).put("columns", mesh.columns).put("pairs", mesh.pairs());
    if (found.has("refused")) {
      node.set("refused", found.path("refused"));
      return;
    }
    long bound = MeshPsm.stepBytes(settings, SyntheticArm.WORLD, plan.seeds);
    node.setAll((ObjectNode) found);
    node.put(
        "nanosecondsPerPair",
        found.path("millisecondsPerStep").asDouble() * 1e6 / mesh.pairs() / plan.seeds);
    node.put("boundBytes", bound).put("withinBound", found.path("peakBytes").asLong() <= bound);
  }

  private static void compare(ArrayNode steps) {
    for (JsonNode reference : steps) {
      if (reference.path("rows").asInt() == REFERENCE.rows
          && reference.path("columns").asInt() == REFERENCE.columns
          && reference.has("nanosecondsPerPair")) {
        double per = reference.path("nanosecondsPerPair").asDouble();
        steps.forEach(
            step -> {
              if (step.has("nanosecondsPerPair")) {
                ((ObjectNode) step)
                    .put("ratioPerPair", step.path("nanosecondsPerPair").asDouble() / per);
              }
            });
        return;
      }
    }
  }

  private static String text(ObjectNode document) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "%-11s %8s %9s %8s %9s %9s %9s%n",
            "mesh", "pairs", "ms/step", "ns/pair", "by 64x64", "peak MB", "bound MB"));
    for (JsonNode step : document.path("meshes")) {
      String mesh = step.path("rows").asInt() + "x" + step.path("columns").asInt();
      text.append(String.format("%-11s %8d ", mesh, step.path("pairs").asLong()));
      if (step.has("refused")) {
        text.append("refused: ").append(step.path("refused").asText()).append('\n');
        continue;
      }
      text.append(
          String.format(
              Locale.ROOT,
              "%9.2f %8.1f %9s %9.1f %9.1f%s%n",
              step.path("millisecondsPerStep").asDouble(),
              step.path("nanosecondsPerPair").asDouble(),
              step.has("ratioPerPair")
                  ? String.format(Locale.ROOT, "%.2f", step.path("ratioPerPair").asDouble())
                  : "-",
              step.path("peakBytes").asLong() / 1e6,
              step.path("boundBytes").asLong() / 1e6,
              step.path("withinBound").asBoolean() ? "" : "   above the bound"));
    }
    JsonNode large = document.path("tooLarge");
    text.append(
        String.format(
            "for comparison, a mesh of %dx%d, which fits into no machine, is refused beforehand: %s",
            large.path("rows").asInt(),
            large.path("columns").asInt(),
            large.path("refused").asText()));
    return text.toString();
  }

  /** Measures in a process with this one's libraries and settings. */
  private static JsonNode probe(Plan plan, MeshPsmSettings settings, Path data) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-D") || option.startsWith("--"))
        .forEach(command::add);
    command.addAll(HEAP);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(MeshProbe.class.getName());
    command.add(data.toString());
    command.add(Integer.toString(plan.seeds));
    command.add(Double.toString(plan.seconds));
    command.add(Json.line(Settings.toJson(settings)));
    Path answer = data.resolveSibling("answer.json");
    command.add(answer.toString());
    Process process = null;
    try {
      process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      if (process.waitFor() != 0) {
        throw UserError.failed(
            null,
            "the process of mesh %dx%d failed with exit code %d; its words are above",
            settings.meshRows(),
            settings.meshColumns(),
            process.exitValue());
      }
      return Json.read(answer);
    } catch (IOException e) {
      throw UserError.failed(e, "Java cannot be started again: %s", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UserError.failed(e, "interrupted while a mesh was measured");
    } finally {
      if (process != null) {
        process.destroy();
      }
    }
  }
}
