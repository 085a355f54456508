package dev.psm.zeroshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Model;
import dev.psm.agents.SolveMethod;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.UserError;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.io.TensorData;
import dev.psm.core.reward.Task;
import dev.psm.core.settings.Settings;
import dev.psm.torch.NativeLibraries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** An agent on disk: {@link ModelFormat} knows its description, {@link AgentTensors} the rest. */
final class StoredAgent {
  /** As long as a trainer may take from one of the files to the other. */
  private static final long BETWEEN_FILES_MILLIS = 500;

  private StoredAgent() {}

  /**
   * @param about what else to say of it
   * @param maxBytes of a file of tensors
   */
  static void write(
      ZeroShotAgent agent,
      Path folder,
      ObjectNode about,
      Map<String, TensorData> tensors,
      long maxBytes) {
    Objects.requireNonNull(folder, "folder");
    Objects.requireNonNull(about, "about");
    Objects.requireNonNull(tensors, "tensors");
    ObjectNode description = Json.object();
    description.put("format", ModelFormat.CURRENT);
    description.put("agent", agent.name());
    description.put("environment", agent.environment().reference());
    description.set("world", StoredWorld.of(agent.environment()).toJson());
    description.set("shape", Settings.toJson(agent.model().shape()));
    description.setAll(about);
    Map<String, String> metadata = Map.of("format", ModelFormat.CURRENT);
    AgentTensors.write(folder, description, tensors, metadata, maxBytes);
    Json.write(folder.resolve(ZeroShotAgent.DESCRIPTION), description);
  }

  /** Whether there is an agent's description in this very folder. */
  static boolean isIn(Path folder) {
    Path file = Objects.requireNonNull(folder, "folder").resolve(ZeroShotAgent.DESCRIPTION);
    try {
      if (!Files.isRegularFile(file)) {
        return false;
      }
      ModelFormat.requireKnown(JsonField.read(file));
      return true;
    } catch (UserError foreign) {
      return false;
    }
  }

  static ZeroShotAgent read(Path folder) {
    Optional<ZeroShotAgent> agent = readNow(folder);
    if (agent.isEmpty()) {
      // A trainer may have been between the two files.
      try {
        Thread.sleep(BETWEEN_FILES_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      agent = readNow(folder);
    }
    return agent.orElseThrow(() -> AgentTensors.ofAnotherSave(folder));
  }

  /** Empty where the files are not of the same save. */
  static Optional<ZeroShotAgent> readNow(Path folder) {
    Path file = Objects.requireNonNull(folder, "folder").resolve(ZeroShotAgent.DESCRIPTION);
    JsonField description = JsonField.read(file);
    ModelFormat format = ModelFormat.of(description, file);
    if (description.has("data")) {
      // Nothing here needs it, but an export adds to it.
      description.get("data").object();
    }
    String source = AgentTensors.source(folder, description);
    Optional<Map<String, TensorData>> read =
        ModelFormat.isGrid1(description)
            ? Optional.of(ModelFormat.tensorsOfGrid1(Path.of(source), description, format))
            : AgentTensors.read(folder, description);
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Map<String, TensorData> tensors = read.get();
    World world = format.world();
    InferenceSample sample = InferenceSample.load(tensors, world, source);
    NativeLibraries.load();
    Model model = format.agent().model(format.shape(), world, tensors, source);
    ZeroShotAgent agent =
        new ZeroShotAgent(format.agent().id(), model, world, sample, description.object());
    try {
      AgentTensors.refuseStrangers(tensors.keySet(), agent.tensors().keySet(), source);
      rehearse(agent);
    } catch (UserError | IllegalArgumentException unusable) {
      agent.close();
      // Finite weights may still be too large for an action to be a number.
      throw unusable.getMessage().startsWith(source)
          ? unusable
          : UserError.invalid(
              "%s: the agent cannot act in a state of its own sample: %s",
              source, unusable.getMessage());
    }
    return Optional.of(agent);
  }

  /**
   * Answers a prompt that nobody gave. What comes first takes long, in libtorch and in Java; so the
   * first real prompt does not have to wait for it.
   */
  private static void rehearse(ZeroShotAgent agent) {
    World world = agent.environment();
    Model model = agent.model();
    float[] state = Arrays.copyOf(agent.sample().observations(), world.observationSize());
    if (model instanceof FiniteModel finite) {
      // By the quick way: the model's own may take minutes, and nobody has asked for it yet.
      double[] goal = new double[finite.featureDimension()];
      goal[0] = 1;
      finite.quickActionValues(new double[][] {goal});
      return;
    }
    agent.prepare();
    // Where there is a choice, by the quickest way.
    ZeroShotAgent quick =
        model.methods().contains(SolveMethod.BEST) ? agent.solvingBy(SolveMethod.BEST) : agent;
    quick.solveGoal(state).act(state);
    if (agent.sample().quantities().isPresent()) {
      // A formula, where there is one: to read one is most of what a first prompt waits for.
      Optional<Task> task =
          world.tasks().stream().filter(each -> !world.concernsEpisodeGoal(each)).findFirst();
      String formula = task.map(Task::formula).orElse(world.quantities().get(0).name());
      (formula.isEmpty() ? quick.solve(task.orElseThrow()) : quick.solve(formula)).act(state);
    }
  }
}
