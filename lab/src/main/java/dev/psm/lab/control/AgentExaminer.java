package dev.psm.lab.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.control.ControlTrainer;
import dev.psm.core.data.Dataset;
import dev.psm.core.io.Json;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Progress;
import dev.psm.mujoco.suite.DomainFacts;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lets every seed's agent play all tasks of its environment, and keeps it as a {@link
 * ZeroShotAgent}. All agents start in the same places.
 */
public final class AgentExaminer implements Examiner {
  /** Draws the starts of every examination. */
  public static final long START_SEED = 0;

  private final RunDescription run;
  private final Dataset data;
  private final DomainFacts facts;
  private final int threads = Runtime.getRuntime().availableProcessors();
  private final Map<Long, InferenceSample> samples = new LinkedHashMap<>();

  public AgentExaminer(RunDescription run, Dataset data) {
    this.run = run;
    this.data = data;
    this.facts = run.facts();
  }

  /** Data without physics cannot be paid, so its agents have no returns. */
  @Override
  public Map<String, Double> returns(ControlTrainer trainer, long seed) {
    if (data.columns().physics() == 0) {
      return Map.of();
    }
    Evaluation evaluation =
        Evaluation.run(
            agent(trainer, seed),
            facts.tasks(),
            run.cadence().episodes(),
            START_SEED,
            threads,
            Progress.SILENT);
    Map<String, Double> returns = new LinkedHashMap<>();
    evaluation.returns().keySet().forEach(task -> returns.put(task, evaluation.mean(task)));
    return returns;
  }

  @Override
  public void saveModel(ControlTrainer trainer, long seed, Path folder) {
    ObjectNode about = Json.object();
    about.put("preset", run.preset());
    about.set("settings", Settings.toJson(run.settings()));
    about.put("seed", seed);
    about.put("gradientSteps", trainer.stepsDone());
    about
        .putObject("data")
        .put("collector", run.data().collector())
        .put("transitions", run.data().transitions())
        .put("fingerprint", run.data().fingerprint());
    about.set("provenance", run.provenance());
    agent(trainer, seed).save(folder, about);
  }

  private ZeroShotAgent agent(ControlTrainer trainer, long seed) {
    InferenceSample sample =
        samples.computeIfAbsent(
            seed,
            own -> InferenceSample.draw(data, facts, InferenceSample.DEFAULT_SIZE, own, threads));
    return new ZeroShotAgent(run.agent().id(), trainer.model(seed), facts, sample);
  }
}
