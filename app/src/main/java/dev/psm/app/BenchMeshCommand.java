package dev.psm.app;

import dev.psm.bench.MeshBench;
import dev.psm.core.UserError;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "mesh",
    mixinStandardHelpOptions = true,
    description =
        "Time and peak memory of a gradient step of affine PSM on meshes of sampled states, by the size of the mesh, on"
            + " data of FetchReach's size; beside the bound on memory that is known beforehand. Each mesh is measured in"
            + " a process of its own. Linux only.")
final class BenchMeshCommand implements Callable<Integer> {
  private static final int MAX_SEEDS = 64;
  private static final double MAX_SECONDS = 3600;

  @Mixin private Output output;

  @Option(
      names = "--meshes",
      paramLabel = "ROWSxCOLUMNS",
      split = ",",
      description =
          "Which ones, separated by commas (default:"
              + " 16x16,64x64,128x128,256x256,1024x64,1024x256).")
  private List<String> meshes;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many seeds train side by side (default: ${DEFAULT-VALUE}).")
  private int seeds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "12",
      description =
          "How long each mesh takes, two thirds of it to warm up (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Parameters(
      paramLabel = "KEY=VALUE",
      arity = "0..*",
      description = "Overrides of the small preset, such as width=256 or pairsAtOnce=65536.")
  private List<String> overrides = List.of();

  @Override
  public Integer call() {
    if (seeds < 1 || seeds > MAX_SEEDS) {
      throw UserError.invalid("--seeds must lie from 1 to %d, found %d", MAX_SEEDS, seeds);
    }
    if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
      throw UserError.invalid(
          "--seconds must lie above 0 and at most at %.0f, found %s", MAX_SECONDS, seconds);
    }
    List<MeshBench.Mesh> wanted =
        meshes == null ? MeshBench.MESHES : meshes.stream().map(MeshBench.Mesh::parse).toList();
    MeshBench.Result result =
        MeshBench.run(new MeshBench.Plan(wanted, seeds, seconds, overrides), output.progress());
    output.say(result.text());
    output.finish(result.json());
    return result.measured() ? 0 : 1;
  }
}
