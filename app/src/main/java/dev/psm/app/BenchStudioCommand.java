package dev.psm.app;

import dev.psm.bench.StudioBench;
import dev.psm.core.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "studio",
    mixinStandardHelpOptions = true,
    description =
        "How soon the studio's page obeys, in a headless Chromium: from a stroke on a grid to the picture of what follows"
            + " from it (bar: 100 ms), and from a formula to the first frame in which a body moves by it (bar: 300 ms).")
final class BenchStudioCommand implements Callable<Integer> {
  private static final Path WALKER = Path.of("models", "walker-psm");

  @Mixin private Output output;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "50",
      description = "Strokes and formulas measured (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--body",
      paramLabel = "DIR",
      description =
          "An agent of the walker for the formulas (default: models/walker-psm, where it is there).")
  private Path body;

  @Override
  public Integer call() {
    Range.check("--rounds", rounds, 1, 10_000);
    Optional<Path> chosen = Optional.ofNullable(body);
    if (chosen.isEmpty() && Files.isDirectory(WALKER)) {
      chosen = Optional.of(WALKER);
    }
    if (chosen.isEmpty()) {
      output.say(
          "there is no %s here, so formulas are left out; name one by --body".formatted(WALKER));
    } else if (!Files.isDirectory(chosen.get())) {
      throw UserError.invalid("--body: there is no folder %s", chosen.get());
    }
    StudioBench.Result result =
        StudioBench.run(new StudioBench.Settings(rounds, chosen), output.progress());
    output.say(result.text());
    output.finish(result.json());
    return 0;
  }
}
