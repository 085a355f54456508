package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Nearest;
import dev.psm.core.Wording;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.lab.importing.DatasetImport;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    description = {
      "Turn other people's data into a dataset: ExoRL (a folder of episode npz files), OGBench (npz), D4RL and Minari"
          + " (hdf5).",
      ""
    })
final class DatasetImportCommand implements Callable<Integer> {
  @Mixin private Output output;

  @Parameters(paramLabel = "SOURCE", description = "A file or folder.")
  private Path source;

  @Option(
      names = "--env",
      required = true,
      paramLabel = "NAME",
      description =
          "Where it comes from: an environment of env list, or any other name, of which the data is then all that is"
              + " known.")
  private String environment;

  @Option(
      names = "--names",
      paramLabel = "A,B,…|FILE",
      description =
          "What the numbers of an observation are called in rewards (default: o0, o1, …, or a dictionary's keys).")
  private String names;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "exorl, ogbench, d4rl or minari (default: recognised from the files).")
  private String format;

  @Option(names = "--out", required = true, paramLabel = "DIR", description = "The dataset.")
  private Path out;

  @Override
  public Integer call() {
    Destination.folder("--out", out);
    DatasetImport.Result result =
        DatasetImport.run(
            source, format, environment, ColumnNames.of(names), out, output.progress());
    output.say(
        String.format(
            Locale.ROOT,
            "imported %s in %s from %s (%s) into %s",
            Wording.count(result.transitions(), "transition"),
            Wording.count(result.episodes(), "episode"),
            source,
            result.format(),
            out));
    ObjectNode document =
        Json.object()
            .put("format", result.format())
            .put("episodes", result.episodes())
            .put("transitions", result.transitions())
            .put("out", out.toString());
    if (result.world() instanceof StoredWorld world) {
      output.say(
          "psm has no environment '%s': its data is all that is known of it%s"
              .formatted(environment, nearest(environment)));
      output.say("columns of an observation, for rewards: " + StoredWorldText.columns(world));
      StoredWorldText.actionUnits(world).ifPresent(output::say);
      document.set("world", world.toJson());
    }
    output.finish(document);
    return 0;
  }

  /** A name that was perhaps mistyped. */
  private static String nearest(String environment) {
    String hint = Nearest.hint(environment, Worlds.all().stream().map(World::name).toList());
    return hint.startsWith("did you mean") ? "; " + hint : "";
  }
}
