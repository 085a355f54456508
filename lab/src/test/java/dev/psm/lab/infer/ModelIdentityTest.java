package dev.psm.lab.infer;

import static dev.psm.lab.run.TinyAgents.MAZE;
import static dev.psm.lab.run.TinyAgents.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.lab.Progress;
import dev.psm.lab.collect.Collection;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.ShuffledWorkers;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.run.TinyAgents;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Vectors go with the model that they were found with, and with no other of its kind. */
class ModelIdentityTest {
  private static final WorkContext CONTEXT =
      new WorkContext(Progress.SILENT, note -> {}, () -> false);

  @TempDir private Path root;
  private Path data;
  private List<ZeroShotAgent> seeds;

  @BeforeEach
  void train() {
    data = root.resolve("data");
    Collection.atRandom(
        MAZE, new Collection.Plan(2L * MAZE.episodeSteps(), 2, 1, 0), data, Progress.SILENT);
    seeds = TinyAgents.train(MAZE, data, List.of(0L, 1L));
  }

  private Path save(int seed, String name) {
    Path folder = root.resolve(name);
    seeds.get(seed).save(folder, Json.object().put("seed", seed));
    return folder;
  }

  private InferenceResult infer(Path folder, Workers workers) {
    List<Task> tasks = List.of(MAZE.taskOrFormula("x"));
    return Inference.run(folder, data, tasks, workers, CONTEXT).orElseThrow();
  }

  @Test
  void vectorsOfAnotherSeedAreRefusedByName() {
    Path first = save(0, "first");
    Path copy = save(0, "copy");
    Path other = save(1, "other");
    InferenceResult found = infer(first, new LocalWorkers(1));
    for (String name : List.of("v.json", "v.safetensors")) {
      Path file = root.resolve(name);
      found.write(file);
      try (ZeroShotAgent same = ZeroShotAgent.read(copy);
          ZeroShotAgent stranger = ZeroShotAgent.read(other)) {
        assertEquals("x", VectorFile.read(file, null, same).task().name());
        refused(
            () -> VectorFile.read(file, null, stranger),
            name + " holds task vectors of psm on ",
            ", seed 0, tensors ",
            "this model is psm on ",
            ", seed 1, tensors ",
            "infer with this model");
      }
    }
  }

  /** Agents play whatever they are given, so a changed vector would pass for one of theirs. */
  @Test
  void vectorsThatInferCannotHaveWrittenAreRefused() {
    Path folder = save(0, "changed");
    Path file = root.resolve("changed.json");
    infer(folder, new LocalWorkers(1)).write(file);
    try (ZeroShotAgent agent = ZeroShotAgent.read(folder)) {
      ObjectNode root = (ObjectNode) Json.read(file);
      ObjectNode task = (ObjectNode) root.at("/tasks/0");
      ArrayNode vector = (ArrayNode) task.get("taskVector");
      root.withArray("tasks").add(task.deepCopy());
      Json.write(file, root);
      refused(() -> VectorFile.read(file, "x", agent), "several vectors of 'x'");
      root.withArray("tasks").remove(1);
      for (double length : List.of(2.0, 1e30)) {
        for (int i = 0; i < vector.size(); i++) {
          vector.set(i, length);
        }
        Json.write(file, root);
        refused(() -> VectorFile.read(file, "x", agent), "must have the length √");
      }
      for (int i = 0; i < vector.size(); i++) {
        vector.set(i, 0.0);
      }
      Json.write(file, root);
      assertEquals(0, VectorFile.read(file, "x", agent).vector()[0], "a constant reward's");
    }
  }

  /** Such as by a run that is training still. */
  @Test
  void aModelThatIsReplacedDuringThePassIsRefused() {
    Path folder = save(0, "agent");
    Workers late = new ShuffledWorkers(0, () -> save(1, "agent"));
    UserError error = assertThrows(UserError.class, () -> infer(folder, late));
    assertTrue(error.getMessage().contains("was trained on since the pass began"));
    assertTrue(
        error.getMessage().matches(".*holds psm on .*, seed 1, .* is of psm on .*, seed 0, .*"));
  }
}
