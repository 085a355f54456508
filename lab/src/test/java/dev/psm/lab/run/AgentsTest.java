package dev.psm.lab.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.psm.agents.Agents;
import dev.psm.agents.Model;
import dev.psm.agents.control.ControlAgent;
import dev.psm.agents.control.ControlModel;
import dev.psm.agents.control.ControlTrainer;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.agents.control.FactoredPsmSettings;
import dev.psm.agents.training.Experience;
import dev.psm.core.UserError.Kind;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class AgentsTest {
  private static final World WALKER = Worlds.named("walker");

  @TempDir private static Path root;

  @ParameterizedTest
  @MethodSource("dev.psm.agents.Agents#control")
  void aModelIsRebuiltFromItsTensors(ControlAgent agent) {
    Path data = root.resolve("data");
    Runs runs = new Runs(Runs.collect(data, 0));
    RunDescription run = runs.describe(agent);
    try (Dataset dataset = Dataset.open(data)) {
      ControlTrainer trainer = agent.trainer(run.settings(), new Experience(dataset), List.of(0L));
      for (int step = 0; step < 30; step++) {
        trainer.step();
      }
      ControlModel model = trainer.model(0);
      Model rebuilt = agent.model(model.shape(), run.world(), model.tensors(), "a file");
      float[] observations = new float[100 * model.observationSize()];
      dataset.observations(0, 100, observations, 0);
      float[] phi = model.features(observations);
      assertArrayEquals(phi, rebuilt.features(observations));
      double[] rewards = new double[100];
      rewards[3] = 1;
      rewards[70] = -2;
      float[] task = model.taskVector(phi, rewards);
      assertArrayEquals(task, rebuilt.taskVector(phi, rewards));
      float[] one = new float[model.observationSize()];
      float[] oneTask = task.clone();
      assertArrayEquals(model.act(one, oneTask), rebuilt.act(one, oneTask));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.psm.agents.Agents#control")
  void everyAgentHasItsPresets(ControlAgent agent) {
    assertSame(agent, Agents.named(agent.id(), WALKER));
    assertEquals(ControlAgent.DEFAULT_PRESET, agent.defaultPreset(WALKER));
    assertEquals(agent.settingsType(), agent.preset("paper", WALKER).getClass());
    assertEquals(2_000_000, agent.common(agent.preset("paper", WALKER)).gradientSteps());
    Runs.refused(
        Kind.INVALID, () -> agent.preset("papr", WALKER), "'papr'", "did you mean 'paper'");
    Runs.refused(Kind.INVALID, () -> Agents.named("hlp", WALKER), "'hlp'", "did you mean 'hilp'");
  }

  private static FactoredPsmSettings psm(Integer steps, String... overrides) {
    return (FactoredPsmSettings)
        FactoredPsm.AGENT.settings("paper", WALKER, steps, List.of(overrides));
  }

  @Test
  void phasesKeepTheirSharesUnlessTheUserSetsThem() {
    double share = (double) psm(null).protoSteps() / psm(null).common().gradientSteps();
    assertEquals(share * 1000, psm(1000).protoSteps(), 1);
    assertEquals(1000, psm(1000).common().gradientSteps());
    assertEquals(700, psm(1000, "protoSteps=700").protoSteps());
    assertEquals(1, psm(2).protoSteps());
  }

  @Test
  void whatWouldNeverLearnIsRefused() {
    Runs.refused(Kind.INVALID, () -> psm(1000, "protoSteps=0"), "the basis would never be learned");
    Runs.refused(Kind.INVALID, () -> psm(1000, "protoSteps=1000"), "leaves none of the 1000");
    Runs.refused(
        Kind.INVALID,
        () -> psm(1000, "gradientSteps=20"),
        "given twice",
        "1000",
        "gradientSteps=20");
    assertEquals(0, psm(1000, "protoSteps=0", "schedule=interleaved").protoSteps());
  }

  @ParameterizedTest
  @MethodSource("dev.psm.agents.Agents#control")
  void everyAgentHasThePresetsOfAStudy(ControlAgent agent) {
    for (World environment : List.of(WALKER, Worlds.named("maze"))) {
      assertEquals(
          List.of("small", "paper", "released"),
          agent.presets(environment).keySet().stream().limit(3).toList());
    }
    assertEquals(1e-4, agent.common(agent.preset("released", WALKER)).learningRate());
  }
}
