package dev.psm.app;

import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.bench.GpuTrainingBench;
import dev.psm.bench.TrainingBench;
import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.torch.Precision;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "training",
    mixinStandardHelpOptions = true,
    description =
        "Time per gradient step of the agents for continuous actions on data of the walker's size, in turns with the"
            + " same steps in Python PyTorch when a Python with torch is there; the share of a step that drawing random"
            + " numbers takes; and resident memory over many steps. On a GPU: recorded steps and those of single"
            + " operations, whether both do the same, and the time that their arithmetic alone would take.")
final class BenchTrainingCommand implements Callable<Integer> {
  private static final int MAX_ROUNDS = 1000;
  private static final int MAX_SEEDS = 64;
  private static final int CPU_ROUNDS = 7;
  private static final int GPU_ROUNDS = 5;
  private static final int MEMORY_STEPS = 5000;

  @Mixin private Output output;

  @Option(
      names = "--python",
      paramLabel = "FILE",
      description = "A Python that can import torch (default: python3, if it can).")
  private Path python;

  @Option(
      names = "--agents",
      paramLabel = "NAME",
      split = ",",
      completionCandidates = AgentNames.class,
      description = "Which ones, separated by commas (default: ${COMPLETION-CANDIDATES}).")
  private List<String> agents;

  @Option(
      names = "--sizes",
      paramLabel = "NAME",
      split = ",",
      description =
          "Presets to measure, separated by commas; 'tiny' only tries things out (default:"
              + " paper,small, and paper on a GPU).")
  private List<String> sizes;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds that count (default: 7, and 5 on a GPU).")
  private Integer rounds;

  @Option(
      names = "--memory-steps",
      paramLabel = "N",
      description =
          "Steps of the small PSM over which memory is watched; 0 for none; on the CPU only (default:"
              + " 5000).")
  private Integer memorySteps;

  @Option(
      names = "--device",
      paramLabel = "cpu|cuda",
      description = "cpu or cuda (default: PSM_DEVICE, or cpu).")
  private String device;

  @Option(
      names = "--precision",
      paramLabel = "NAME",
      split = ",",
      description =
          "How a GPU computes products, separated by commas: tf32, bfloat16, float32 (default:"
              + " tf32,bfloat16).")
  private List<String> precisions;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      split = ",",
      description =
          "How many seeds a GPU trains side by side, separated by commas; the first is compared with"
              + " everything else (default: 1,5).")
  private List<Integer> seeds;

  @Override
  public Integer call() {
    if (rounds != null && (rounds < 1 || rounds > MAX_ROUNDS)) {
      throw UserError.invalid("--rounds must lie from 1 to %d, found %d", MAX_ROUNDS, rounds);
    }
    if (memorySteps != null && memorySteps < 0) {
      throw UserError.invalid("--memory-steps must not be negative, found %d", memorySteps);
    }
    if ("auto".equals(device)) {
      throw UserError.invalid("--device: expected cpu or cuda, found 'auto'");
    }
    return DeviceRequest.of(device).is("cuda") ? onGpu() : onCpu();
  }

  private int onCpu() {
    if (precisions != null || seeds != null) {
      throw UserError.invalid(
          "%s goes with --device cuda; on the CPU there is one seed in single precision",
          precisions != null ? "--precision" : "--seeds");
    }
    TrainingBench.Result result =
        TrainingBench.run(
            new TrainingBench.Settings(
                python,
                agents == null ? Agents.control().stream().map(Agent::id).toList() : agents,
                given(sizes, List.of("paper", "small")),
                given(rounds, CPU_ROUNDS),
                given(memorySteps, MEMORY_STEPS)),
            output.progress());
    output.say(result.text());
    output.finish(result.json());
    return 0;
  }

  private int onGpu() {
    if (given(memorySteps, 0) > 0) {
      throw UserError.invalid("--memory-steps goes with --device cpu");
    }
    List<Integer> counts = given(seeds, List.of(1, 5));
    for (int count : counts) {
      if (count < 1 || count > MAX_SEEDS) {
        throw UserError.invalid("--seeds must lie from 1 to %d, found %d", MAX_SEEDS, count);
      }
    }
    GpuTrainingBench.Result result =
        GpuTrainingBench.run(
            new GpuTrainingBench.Settings(
                python,
                agents == null ? Agents.control().stream().map(Agent::id).toList() : agents,
                given(sizes, List.of("paper")),
                given(precisions, List.of("tf32", "bfloat16")).stream()
                    .map(BenchTrainingCommand::precision)
                    .toList(),
                counts,
                given(rounds, GPU_ROUNDS)),
            output.progress(),
            output::say);
    output.finish(result.json());
    for (String failure : result.failures()) {
      output.note(failure);
    }
    return result.failures().isEmpty() ? 0 : 1;
  }

  private static Precision precision(String name) {
    return Arrays.stream(Precision.values())
        .filter(precision -> precision.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                UserError.invalid(
                    "--precision: '%s' is none; %s",
                    name, Nearest.hint(name, List.of("tf32", "bfloat16", "float32"))));
  }

  private static <T> T given(T value, T otherwise) {
    return value == null ? otherwise : value;
  }
}
