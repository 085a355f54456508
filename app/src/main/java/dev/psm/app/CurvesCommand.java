package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.lab.run.RunCurves;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "curves",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Draw what runs logged as they learned, over each other: returns, losses, ranks. Runs may still be going on.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  ./psm curves runs/psm runs/fb --out curves.html",
      "  ./psm curves runs/psm runs/fb --out walk.svg --metric return/walk"
    })
final class CurvesCommand implements Callable<Integer> {
  @Mixin private Output output;

  @Parameters(
      arity = "1..*",
      paramLabel = "RUN",
      description = "Folders that pretrain --data wrote, all of one environment.")
  private List<Path> runs;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "A page (.html) with every number that was logged, or a picture (.svg) of one.")
  private Path out;

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      description = "Which one the picture shows (default: return/average, on a grid error/goals).")
  private String metric;

  @Override
  public Integer call() {
    Destination.file("--out", out, ".html", ".svg");
    boolean picture = out.toString().toLowerCase(Locale.ROOT).endsWith(".svg");
    if (!picture && metric != null) {
      throw UserError.invalid("--metric is for a picture (.svg); a page has all of them");
    }
    RunCurves curves = new RunCurves(runs);
    if (picture) {
      curves.writeSvg(out, metric == null ? curves.headline() : metric);
    } else {
      curves.writeHtml(out);
    }
    ObjectNode document = Json.object().put("file", out.toString());
    curves.metrics().forEach(document.putArray("metrics")::add);
    output.say("curves in " + out);
    output.finish(document);
    return 0;
  }
}
