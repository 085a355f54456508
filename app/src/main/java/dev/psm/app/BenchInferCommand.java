package dev.psm.app;

import dev.psm.bench.InferBench;
import dev.psm.core.UserError;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "infer",
    mixinStandardHelpOptions = true,
    description =
        "Task vectors by passes over generated data of the walker's size: time against formulas and rows, memory, what a"
            + " second worker is worth, and how far the vectors are from those of all states at once in memory.")
final class BenchInferCommand implements Callable<Integer> {
  private static final long MILLION = 1_000_000;

  @Mixin private Output output;

  @Parameters(
      paramLabel = "DIR",
      description = "An agent of the walker, such as models/walker-psm.")
  private Path agent;

  @Option(
      names = "--formulas",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,10,100,1000",
      description = "How many, ascending (default: ${DEFAULT-VALUE}).")
  private List<Integer> formulas;

  @Option(
      names = "--rows",
      paramLabel = "N",
      split = ",",
      defaultValue = "1000000,5000000,20000000",
      description =
          "Transitions, ascending, at about 268 bytes each for the last (default: ${DEFAULT-VALUE}).")
  private List<Long> rows;

  @Option(
      names = "--workers",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,2",
      description =
          "Numbers of workers, each of them compared with the first (default: ${DEFAULT-VALUE}).")
  private List<Integer> workers;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description =
          "Where the temporary files go, which are deleted at the end (default: the system's place"
              + " for them).")
  private Path folder = Path.of(System.getProperty("java.io.tmpdir"));

  @Override
  public Integer call() {
    ascending("--formulas", formulas.stream().map(Long::valueOf).toList(), 100_000);
    ascending("--rows", rows, 1_000_000 * MILLION);
    ascending("--workers", workers.stream().map(Long::valueOf).toList(), Range.MAX_THREADS);
    AgentFolder models = AgentFolder.open(agent);
    if (!models.world().name().equals("walker")) {
      throw UserError.invalid(
          "%s is an agent of %s; the data is of the walker's size", agent, models.world().name());
    }
    InferBench.Result result =
        InferBench.run(
            new InferBench.Settings(models.agent(), formulas, rows, workers, folder),
            output.progress());
    output.say(result.text());
    output.finish(result.json());
    return 0;
  }

  private static void ascending(String option, List<Long> numbers, long most) {
    for (int i = 0; i < numbers.size(); i++) {
      Range.check(option, numbers.get(i), i == 0 ? 1 : numbers.get(i - 1) + 1, most);
    }
  }
}
