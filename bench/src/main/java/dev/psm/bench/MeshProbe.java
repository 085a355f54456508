package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.discrete.MeshPsm;
import dev.psm.agents.discrete.MeshPsmSettings;
import dev.psm.agents.training.Experience;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.io.Json;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Machine;
import dev.psm.torch.Device;
import dev.psm.torch.TorchRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Gradient steps on one mesh, in a process of their own: freed memory stays with a process, so
 * whatever was measured before would count.
 */
final class MeshProbe {
  private static final int ROUNDS = 7;

  /** So small that only code, threads and buffers of the libraries take memory. */
  private static final List<String> TINY =
      List.of("meshRows=2", "meshColumns=4", "basisDimension=4", "width=8", "coordinateWidth=8");

  private MeshProbe() {}

  /** Arguments: the dataset's folder, seeds, seconds, the settings as JSON, a file to answer in. */
  public static void main(String[] arguments) {
    ObjectNode answer = Json.object();
    measure(
        Path.of(arguments[0]),
        LongStream.range(0, Integer.parseInt(arguments[1])).boxed().toList(),
        Double.parseDouble(arguments[2]),
        Settings.fromJson(
            Json.parse(arguments[3], "the settings"), MeshPsmSettings.class, "the settings"),
        answer);
    Json.write(Path.of(arguments[4]), answer);
  }

  private static void measure(
      Path folder, List<Long> seeds, double seconds, MeshPsmSettings settings, ObjectNode answer) {
    try (Dataset dataset = Dataset.open(folder);
        Experience data = new Experience(dataset, Device.CPU, SyntheticArm.WORLD.actionSpace())) {
      try (MeshPsm tiny = trainer(Settings.override(settings, TINY), data, seeds)) {
        warmUp(tiny, seconds / 3);
      }
      long before = Machine.residentBytes();
      Machine.forgetPeak();
      try (MeshPsm trainer = trainer(settings, data, seeds)) {
        int steps = Math.max(1, warmUp(trainer, seconds / 3) / ROUNDS);
        List<StepTime> rounds = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
          rounds.add(StepTime.of(trainer::step, steps));
        }
        StepTime.median(rounds).describe(answer);
      } catch (UserError e) {
        answer.put("refused", e.getMessage());
      }
      answer.put("threads", TorchRuntime.threads());
      answer.put("peakBytes", Machine.peakBytes() - before);
    }
  }

  private static MeshPsm trainer(MeshPsmSettings settings, Experience data, List<Long> seeds) {
    return new MeshPsm(settings, SyntheticArm.WORLD, data, seeds);
  }

  /** Takes steps for some time, which Java uses to compile what they call; returns how many. */
  private static int warmUp(MeshPsm trainer, double seconds) {
    long start = System.nanoTime();
    int steps = 0;
    do {
      trainer.step();
      steps++;
    } while ((System.nanoTime() - start) / 1e9 < seconds);
    return steps;
  }
}
