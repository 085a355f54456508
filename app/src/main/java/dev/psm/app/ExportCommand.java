package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.FormatMethod;
import dev.psm.app.bundle.ByteSize;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.io.Json;
import dev.psm.lab.run.AgentExport;
import dev.psm.lab.run.Agreement;
import dev.psm.lab.run.OnnxExport;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Make of a run's agent a folder to give away: complete in itself, small, in small files. solve, evaluate and"
          + " the library take it in place of the run. It is read back and compared with the original, and the"
          + " differences are printed and stored with it.",
      "",
      "With --onnx its networks go to files for other programs, such as ONNX Runtime: the actor (inputs observation"
          + " and task, output action) and beside it, in FILE.features.onnx, the features (input observation, output"
          + " features). Weights are as in the run, in single precision.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  ./psm export runs/walker --out models/walker --float16",
      "  ./psm export runs/walker --onnx walker.onnx",
      "  ./psm solve models/walker --reward \"upright * clip(velocity_x / 4, 0, 1)\""
    })
final class ExportCommand implements Callable<Integer> {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,10})([KM]?)B?");

  @Spec private CommandSpec spec;
  @Mixin private Output output;

  @Parameters(paramLabel = "RUN", description = "The folder that pretrain or export wrote.")
  private Path run;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Which seed's model of a run (default: the lowest).")
  private Long seed;

  @Option(names = "--out", paramLabel = "DIR", description = "Where the folder goes.")
  private Path out;

  @Option(
      names = "--onnx",
      paramLabel = "FILE.onnx",
      description = "Where the actor goes, as ONNX; with --out or without.")
  private Path onnx;

  @Option(
      names = "--float16",
      description =
          "Store weights and the sample's observations in half precision; what rewards are computed from stays in"
              + " single.")
  private boolean float16;

  @Option(
      names = "--sample",
      paramLabel = "N",
      description =
          "Keep only so many states of the sample that rewards are read in (default: all); fewer make the folder"
              + " smaller and task vectors coarser.")
  private Integer sample;

  @Option(
      names = "--shard",
      paramLabel = "SIZE",
      defaultValue = "1500K",
      description =
          "The largest file of tensors, such as 500K or 2M, in thousands or millions of bytes (default:"
              + " ${DEFAULT-VALUE}).")
  private String shard;

  @Option(names = "--force", description = "Replace what is already there.")
  private boolean force;

  @Override
  public Integer call() {
    check();
    OptionalLong chosen = seed == null ? OptionalLong.empty() : OptionalLong.of(seed);
    // Before the folder is written: what is refused must have done nothing.
    Optional<ZeroShotAgent> networks =
        onnx == null ? Optional.empty() : Optional.of(withGraphs(chosen));
    ObjectNode document = Json.object();
    if (out != null) {
      AgentExport.Result result =
          AgentExport.run(
              run,
              chosen,
              out,
              new AgentExport.Options(
                  float16,
                  sample == null ? OptionalInt.empty() : OptionalInt.of(sample),
                  bytes(shard),
                  force));
      print(result);
      document.setAll(document(result));
    }
    networks.ifPresent(agent -> writeOnnx(agent, document));
    output.finish(document);
    return 0;
  }

  private void check() {
    if (out == null) {
      if (onnx == null) {
        throw UserError.invalid("give a place: --out DIR, --onnx FILE.onnx or both");
      }
      new MatchedOptions(spec)
          .refuse("is for the folder of --out; give that too", "--float16", "--sample", "--shard");
    }
    Destination.folder("--out", out);
    Destination.file("--onnx", onnx, ".onnx");
    if (onnx != null) {
      Path features = OnnxExport.featuresFile(onnx);
      Destination.file("--onnx", features);
      Destination.unused("--onnx", onnx, force);
      Destination.unused("--onnx", features, force);
    }
  }

  private ZeroShotAgent withGraphs(OptionalLong chosen) {
    ZeroShotAgent agent =
        chosen.isPresent() ? ZeroShotAgent.load(run, chosen.getAsLong()) : ZeroShotAgent.load(run);
    OnnxExport.requireGraphs(agent);
    return agent;
  }

  private void writeOnnx(ZeroShotAgent agent, ObjectNode document) {
    document.put("agent", agent.name()).put("environment", agent.environment().name());
    ObjectNode files = document.putObject("onnx");
    OnnxExport.write(agent, onnx)
        .forEach(
            (file, bytes) -> {
              output.say("%s: %s".formatted(file, ByteSize.words(bytes)));
              files.put(file.toString(), bytes);
            });
  }

  private static long bytes(String text) {
    Matcher size = SIZE.matcher(text.strip().toUpperCase(Locale.ROOT));
    if (!size.matches()) {
      throw UserError.invalid(
          "--shard: expected a size such as 1500K, 2M or 1500000, found '%s'", text);
    }
    long unit = size.group(2).equals("K") ? 1_000 : size.group(2).equals("M") ? 1_000_000 : 1;
    return Long.parseLong(size.group(1)) * unit;
  }

  private void print(AgentExport.Result result) {
    ObjectNode export = (ObjectNode) result.description().get("export");
    output.say(
        "%s on %s in %s: %s in %s, the original has %s"
            .formatted(
                result.agent(),
                result.environment(),
                out,
                ByteSize.words(result.bytes()),
                Wording.count(result.files().size(), "file"),
                ByteSize.words(result.originalBytes())));
    output.say(
        "weights %s, %,d of %,d states: observations %s, quantities %s"
            .formatted(
                export.path("weights").asText(),
                export.path("sampleStates").asInt(),
                export.path("originalSampleStates").asInt(),
                export.path("observations").asText(),
                export.path("quantities").asText()));
    Agreement agreement = result.agreement();
    boolean numbered = agreement.numbered();
    boolean vectors = agreement.vectors();
    output.say(
        "against the original in %s%s:"
            .formatted(
                Wording.count(agreement.states(), "state"),
                numbered ? "" : "; actions are in [-1, 1]"));
    int width = agreement.tasks().keySet().stream().mapToInt(String::length).reduce(8, Math::max);
    output.say(
        numbered
            ? row(width, "task", vectors, "cosine of z", "equal actions", "")
            : row(width, "task", vectors, "cosine of z", "max |da|", "mean |da|"));
    agreement
        .tasks()
        .forEach((name, part) -> output.say(row(width, name, vectors, part, numbered)));
    output.say(row(width, "goals", vectors, agreement.goals(), numbered));
  }

  private static String row(
      int width, String name, boolean vectors, Agreement.Part part, boolean numbered) {
    // A reward that is paid nowhere in the sample has no task vector to compare.
    String cosine = Double.isNaN(part.cosine()) ? "not paid" : decimal("%.6f", part.cosine());
    return numbered
        ? row(width, name, vectors, cosine, decimal("%.2f %%", 100 * part.equal()), "")
        : row(
            width,
            name,
            vectors,
            cosine,
            decimal("%.5f", part.most()),
            decimal("%.6f", part.mean()));
  }

  private static String row(
      int width, String name, boolean vectors, String cosine, String most, String mean) {
    String compared = vectors ? String.format("  %11s", cosine) : "";
    return String.format("%-" + width + "s%s  %9s  %9s", name, compared, most, mean)
        .stripTrailing();
  }

  @FormatMethod
  private static String decimal(String format, double value) {
    return Wording.format(format, value);
  }

  private ObjectNode document(AgentExport.Result result) {
    ObjectNode document = Json.object();
    document.put("agent", result.agent()).put("environment", result.environment());
    document.put("folder", out.toString());
    document.put("bytes", result.bytes()).put("originalBytes", result.originalBytes());
    result.files().forEach(document.putObject("files")::put);
    document.set("export", result.description().get("export"));
    return document;
  }
}
