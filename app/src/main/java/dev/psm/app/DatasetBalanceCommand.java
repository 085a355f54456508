package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Wording;
import dev.psm.core.data.Dataset;
import dev.psm.core.io.Json;
import dev.psm.lab.balance.BalanceSettings;
import dev.psm.lab.balance.BalancedData;
import dev.psm.lab.compute.WorkContext;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "balance",
    mixinStandardHelpOptions = true,
    description = {
      "Make a dataset of segments of another one's episodes, drawn with replacement so that the cells in which coverage"
          + " is counted are visited about equally. What is hardly visited is then learned as finely as the rest.",
      ""
    })
final class DatasetBalanceCommand implements Callable<Integer> {
  @Mixin private Output output;

  @Parameters(paramLabel = "SOURCE", description = "The dataset to draw from; it stays as it is.")
  private Path source;

  @Option(names = "--out", required = true, paramLabel = "DIR", description = "The new dataset.")
  private Path out;

  @Option(
      names = "--transitions",
      paramLabel = "N",
      description =
          "Transitions of the new dataset; whole segments are stored (default: as many as the source has).")
  private Long transitions;

  @Option(
      names = "--segment",
      paramLabel = "STEPS",
      defaultValue = "" + BalanceSettings.USUAL_SEGMENT,
      description =
          "The most steps of a segment, which becomes an episode; the source's are cut into equal ones (default:"
              + " ${DEFAULT-VALUE}).")
  private int segment;

  @Option(
      names = "--power",
      paramLabel = "A",
      defaultValue = "" + BalanceSettings.USUAL_POWER,
      description =
          "A state weighs 1 / visits^A of its cell: 1 visits cells equally, 0 leaves their shares as they are (default:"
              + " ${DEFAULT-VALUE}).")
  private double power;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "0",
      description = "Decides every random draw (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() {
    // What is wrong with a number is told before the data is looked at.
    new BalanceSettings(transitions == null ? 1 : transitions, segment, power, seed);
    Destination.folder("--out", out);
    try (Dataset dataset = Dataset.open(source);
        Interruption interruption = new Interruption(() -> output.note("stopping"))) {
      BalanceSettings settings =
          new BalanceSettings(
              transitions == null ? dataset.transitions() : transitions, segment, power, seed);
      WorkContext context = new WorkContext(output.progress(), output::note, interruption);
      long start = System.nanoTime();
      int threads = Runtime.getRuntime().availableProcessors();
      BalancedData.Result result =
          interruption.tell(
              () -> BalancedData.run(dataset, settings, out, threads, context), output::note);
      say(result, (System.nanoTime() - start) / 1e9);
    }
    return 0;
  }

  private void say(BalancedData.Result result, double seconds) {
    output.say(
        Wording.format(
            "balanced %s in %.1f s: %s of %s, from %,d of the %s of %s, the most frequent one"
                + " %,d times",
            source,
            seconds,
            Wording.count(result.episodes(), "segment"),
            Wording.count(result.transitions(), "transition"),
            result.distinct(),
            Wording.count(result.segments(), "segment"),
            source.getFileName(),
            result.mostOften()));
    output.say("before, " + result.before().text());
    output.say("after, " + result.after().text());
    output.say("dataset in %s, coverage in %s".formatted(out, out.resolve("report.html")));
    ObjectNode document = Json.object().put("source", source.toString()).put("out", out.toString());
    document.setAll(result.json());
    output.finish(document.put("seconds", seconds));
  }
}
