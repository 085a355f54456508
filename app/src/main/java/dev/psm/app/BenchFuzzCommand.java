package dev.psm.app;

import dev.psm.bench.fuzz.FuzzBench;
import dev.psm.bench.fuzz.FuzzKind;
import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "fuzz",
    mixinStandardHelpOptions = true,
    description =
        "Damaged files by the hundred thousand, read as the commands read them: each must be read, or refused in words that name"
            + " it, in a second and a gigabyte. What breaks that is kept and reported, and the exit code is 1.")
final class BenchFuzzCommand implements Callable<Integer> {
  private static final String ALL = "all";

  @Mixin private Output output;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      defaultValue = ALL,
      description =
          "model, dataset, run, formula, text (prompts, rewards, maps, MDPs), npz, safetensors or all"
              + " (default: ${DEFAULT-VALUE}).")
  private String kind;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Damaged files of each kind (default: ${DEFAULT-VALUE}).")
  private long count;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Draws the damage (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      defaultValue = "fuzz-findings",
      description = "Where files go that break a promise (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Override
  public Integer call() {
    if (count < 1) {
      throw UserError.invalid("--count must be at least 1, found %d", count);
    }
    Destination.folder("--out", out);
    FuzzBench.Result result = FuzzBench.run(kinds(), count, seed, out, output.progress());
    output.say(result.text());
    output.finish(result.json());
    return result.findings() > 0 ? 1 : 0;
  }

  private List<FuzzKind> kinds() {
    List<FuzzKind> all = List.of(FuzzKind.values());
    if (kind.equals(ALL)) {
      return all;
    }
    List<FuzzKind> named = all.stream().filter(each -> each.id().equals(kind)).toList();
    if (named.isEmpty()) {
      List<String> ids = Arrays.stream(FuzzKind.values()).map(FuzzKind::id).toList();
      throw UserError.invalid("--kind: there is no '%s'; %s", kind, Nearest.hint(kind, ids));
    }
    return named;
  }
}
