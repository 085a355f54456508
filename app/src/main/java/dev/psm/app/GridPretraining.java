package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.GridMap;
import dev.psm.core.io.Json;
import dev.psm.core.settings.Settings;
import dev.psm.lab.AgentKind;
import dev.psm.lab.GridProblem;
import dev.psm.lab.ModelFolder;
import dev.psm.lab.Pretrainer;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import java.nio.file.Path;

/** {@code pretrain} on a grid: a minute or two in one go. */
final class GridPretraining {
  private GridPretraining() {}

  static int run(GridMap grid, PretrainRequest request, DeviceOption devices, Output output) {
    Path folder = request.out();
    AgentKind agent = AgentKind.parse(request.agent() == null ? "psm" : request.agent());
    String preset =
        request.preset() != null ? request.preset() : agent.defaultPreset(grid.freeCellCount());
    Record settings = Settings.override(agent.preset(preset), request.overrides());
    long seed = request.seed() == null ? 0 : request.seed();
    if (!request.onlySettings()) {
      requirePlace(request);
    }
    Device device = request.onlySettings() ? Device.CPU : open(devices, agent, output);
    output.say("agent " + agent.id() + ", preset " + preset + ", seed " + seed);
    output.say(Settings.describe(settings));
    if (request.onlySettings()) {
      output.finish(Settings.toJson(settings));
      return 0;
    }
    Pretrainer.Result result =
        ModelFolder.pretrain(
            new Pretrainer.Request(new GridProblem(grid), agent, preset, settings, seed, device),
            folder,
            output.progress());
    Pretrainer.Point last = result.curve().get(result.curve().size() - 1);
    output.say(
        "%s learned %s in %.1f s: greedy policies%s are wrong in %.2f %% of cells, over %s"
            .formatted(
                agent.title(),
                grid.name(),
                result.seconds(),
                agent == AgentKind.PSM ? " (gpi)" : "",
                last.policyError(),
                Wording.count(grid.freeCellCount(), "goal")));
    output.say(
        "model in %s; try: ./psm solve %s --goal ROW,COL".formatted(folder, Wording.shell(folder)));
    ObjectNode document = Json.object();
    document.put("out", folder.toString());
    document.put("agent", agent.id());
    document.put("preset", preset);
    document.put("seed", seed);
    document.put("device", device.describe());
    document.put("seconds", result.seconds());
    document.set("settings", Settings.toJson(settings));
    ObjectNode metrics = document.putObject("metrics");
    last.metrics().forEach(metrics::put);
    output.finish(document);
    return 0;
  }

  private static void requirePlace(PretrainRequest request) {
    Path folder = request.out();
    if (folder == null) {
      throw UserError.invalid("where should the model go? Give --out DIR");
    }
    Destination.folder("--out", folder);
    ModelFolder.requireFree(folder, request.replace());
  }

  /** Before anything else of libtorch, which decides once whether there is a GPU. */
  private static Device open(DeviceOption devices, AgentKind agent, Output output) {
    if (devices.asksForCuda() && !agent.trainsOnGpu()) {
      throw UserError.invalid(
          "--device cuda: agent %s learns grids on the CPU only; give --device cpu", agent.id());
    }
    return devices
        .without(Precision.BFLOAT16, "too coarse for a grid's measures; give tf32 or float32")
        .openIfAsked(Precision.FLOAT32, "a grid's steps are small, so auto is the CPU", output);
  }
}
