package dev.psm.lab.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.control.ControlModel;
import dev.psm.agents.control.ControlTrainer;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Progress;
import dev.psm.lab.Provenance;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Lets every seed's agent play all tasks of its environment, and keeps it as a {@link
 * ZeroShotAgent}. All agents start in the same places.
 */
public final class AgentEvaluator implements Evaluator {
  /** Draws the starts of every evaluation. */
  public static final long START_SEED = 0;

  private final RunDescription run;
  private final World world;
  private final boolean played;
  private final int threads = Runtime.getRuntime().availableProcessors();
  private final Map<Long, InferenceSample> samples = new LinkedHashMap<>();

  /** Draws what the agents will need, so that a missing engine is found before any training. */
  public AgentEvaluator(RunDescription run, Dataset data) {
    this.run = run;
    this.world = run.world();
    this.played =
        data.columns().physics() > 0 && !world.tasks().isEmpty() && !(world instanceof StoredWorld);
    for (long seed : run.seeds()) {
      samples.put(
          seed, InferenceSample.draw(data, world, InferenceSample.DEFAULT_SIZE, seed, threads));
    }
  }

  /**
   * Data without physics cannot be labelled, a world without tasks asks for nothing, and one
   * without environments cannot be played: no returns then.
   */
  @Override
  public Optional<Map<String, Double>> evaluate(
      ControlTrainer trainer, long seed, Path folder, BooleanSupplier stop) {
    try (ControlModel model = trainer.model(seed)) {
      ZeroShotAgent agent = agent(model, seed);
      Optional<Map<String, Double>> returns =
          played ? play(agent, stop) : Optional.of(Collections.emptyMap());
      if (returns.isPresent()) {
        save(agent, trainer, seed, folder);
      }
      return returns;
    }
  }

  private Optional<Map<String, Double>> play(ZeroShotAgent agent, BooleanSupplier stop) {
    return Evaluation.run(
            agent,
            world.tasks(),
            run.cadence().episodes(),
            START_SEED,
            threads,
            Progress.SILENT,
            stop)
        .map(
            evaluation -> {
              Map<String, Double> returns = new LinkedHashMap<>();
              evaluation
                  .returns()
                  .keySet()
                  .forEach(task -> returns.put(task, evaluation.mean(task)));
              return returns;
            });
  }

  @Override
  public void saveModel(ControlTrainer trainer, long seed, Path folder) {
    try (ControlModel model = trainer.model(seed)) {
      save(agent(model, seed), trainer, seed, folder);
    }
  }

  private void save(ZeroShotAgent agent, ControlTrainer trainer, long seed, Path folder) {
    ObjectNode about = Json.object();
    about.put("preset", run.preset());
    about.set("settings", Settings.toJson(run.settings()));
    about.put("seed", seed);
    about.put("gradientSteps", trainer.stepsDone());
    about
        .putObject("data")
        .put("collector", run.data().collector())
        .put(Provenance.ENGINE, run.data().engine())
        .put("transitions", run.data().transitions())
        .put("fingerprint", run.data().fingerprint());
    about.set("provenance", run.provenance());
    agent.save(folder, about);
  }

  private ZeroShotAgent agent(ControlModel model, long seed) {
    return new ZeroShotAgent(run.agent().id(), model, world, samples.get(seed));
  }
}
