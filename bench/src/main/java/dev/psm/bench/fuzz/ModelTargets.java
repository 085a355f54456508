package dev.psm.bench.fuzz;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.agents.Model;
import dev.psm.agents.Trainer;
import dev.psm.agents.TrainingData;
import dev.psm.agents.affine.AffinePsm;
import dev.psm.agents.control.ControlAgent;
import dev.psm.agents.control.ControlModel;
import dev.psm.agents.control.NetworkSizes;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Hashes;
import dev.psm.core.io.Json;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Provenance;
import dev.psm.lab.run.AgentExport;
import dev.psm.torch.Device;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Models of every agent: their descriptions, and their tensors with a hash that agrees. */
final class ModelTargets {
  private static final String DESCRIPTION = "model.json";
  private static final String TENSORS = "model.safetensors";
  private static final World MAZE = Worlds.named("maze");
  private static final GridWorld ROOM = new GridWorld(GridMap.parse("fuzz", "....\n.#. \ns...\n"));
  private static final int STATES = 12;

  private ModelTargets() {}

  static List<FuzzTarget> in(Path folder) {
    List<FuzzTarget> targets = new ArrayList<>();
    for (Agent agent : Agents.learning(ROOM)) {
      Path grid = folder.resolve("grid-" + agent.id());
      saveTrained(agent, grid);
      addTargets("grid model of " + agent.id(), grid, targets);
    }
    for (ControlAgent agent : Agents.control()) {
      Path robot = folder.resolve("robot-" + agent.id());
      save(agent, robot);
      addTargets("agent of " + agent.id(), robot, targets);
    }
    Path shards = folder.resolve("shards");
    AgentExport.run(
        folder.resolve("robot-psm"),
        OptionalLong.empty(),
        shards,
        new AgentExport.Options(true, OptionalInt.empty(), 4000, false));
    targets.add(description("exported agent", shards));
    return targets;
  }

  private static void addTargets(String name, Path folder, List<FuzzTarget> targets) {
    targets.add(description(name, folder));
    byte[] description = FileTarget.contents(folder.resolve(DESCRIPTION));
    Path tensors = folder.resolve(TENSORS);
    targets.add(
        new FileTarget(
            name + ", tensors",
            tensors,
            new SafetensorsMutator(FileTarget.contents(tensors)),
            () -> approve(folder, description),
            file -> read(folder)));
  }

  private static FuzzTarget description(String name, Path folder) {
    return FileTarget.json(
        name + ", description", folder.resolve(DESCRIPTION), any -> read(folder));
  }

  /** Somebody who gives away hostile tensors gives their hash as well. */
  private static void approve(Path folder, byte[] description) {
    String text = new String(description, StandardCharsets.UTF_8);
    String hash = "\"tensorsSha256\" : \"" + Hashes.sha256(folder.resolve(TENSORS)) + "\"";
    FileTarget.write(
        folder.resolve(DESCRIPTION),
        text.replaceFirst("\"tensorsSha256\" : \"[0-9a-f]{64}\"", hash)
            .getBytes(StandardCharsets.UTF_8));
  }

  /** As solve does, without its wait for a trainer that may be saving. */
  private static void read(Path folder) {
    ZeroShotAgent.loadNow(folder).ifPresent(ZeroShotAgent::close);
  }

  private static void saveTrained(Agent agent, Path folder) {
    List<String> small =
        agent == AffinePsm.AGENT
            ? List.of(
                "basisDimension=2",
                "codesPerStep=2",
                "enrichedCodes=2",
                "coordinateWidth=4",
                "solveCodes=4",
                "gradientSteps=4")
            : List.of(
                "featureDimension=2",
                "forwardWidth=4",
                "featureWidth=4",
                "batchSize=4",
                "gradientSteps=4");
    Record settings = agent.settings(agent.defaultPreset(ROOM), ROOM, null, small);
    try (Trainer trainer =
            agent.trainer(settings, new TrainingData.Complete(ROOM), List.of(1L), Device.CPU);
        Model model = trainer.model(1)) {
      new ZeroShotAgent(agent.id(), model, ROOM, InferenceSample.everyState(ROOM))
          .save(folder, Json.object());
    }
  }

  private static void save(ControlAgent agent, Path folder) {
    Record settings =
        agent.settings(
            ControlAgent.DEFAULT_PRESET,
            MAZE,
            null,
            List.of("featureDimension=4", "width=8", "featureWidth=8"));
    float[] observations = new float[STATES * MAZE.observationSize()];
    for (int i = 0; i < observations.length; i++) {
      observations[i] = (float) Math.sin(i);
    }
    QuantityTable quantities = new QuantityTable(MAZE.quantities(), STATES);
    for (int row = 0; row < STATES; row++) {
      double value = row / 10.0;
      quantities.measure(row, quantity -> value);
    }
    ObjectNode about = Json.object();
    about.put("preset", ControlAgent.DEFAULT_PRESET);
    about.set("settings", Settings.toJson(settings));
    about.put("seed", 0).put("gradientSteps", 4);
    about.putObject("data").put("collector", "random").put("transitions", 4);
    about.set("provenance", Provenance.software());
    ControlModel.Shape shape = new ControlModel.Shape(agent.modelKind(), new NetworkSizes(4, 8, 8));
    try (ControlModel model = new ControlModel(shape, MAZE.observationSize(), MAZE.actionSize())) {
      new ZeroShotAgent(
              agent.id(), model, MAZE, new InferenceSample(observations, Optional.of(quantities)))
          .save(folder, about);
    }
  }
}
