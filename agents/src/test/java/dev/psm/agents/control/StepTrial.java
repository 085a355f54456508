package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.agents.TruncatedNormal;
import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.data.Episode;
import dev.psm.core.io.Json;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Handles;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * One gradient step under the microscope: what the networks were before it, and which gradients it
 * took. Adam's first moment after its first step is a tenth of the gradient.
 */
public final class StepTrial {
  static final List<Long> SEEDS = List.of(3L, 8L);
  static final int OBSERVATION = 3;
  static final int ACTION = 2;
  static final double RATE = 0.1;
  private static final double TOLERANCE = 1e-4;

  private final ControlTrainer trainer;
  final StepInputs draws;
  final Experience.Batch batch;
  final Parameters features;
  final Parameters successor;
  final Parameters targetSuccessor;
  final Parameters actor;

  StepTrial(ControlTrainer trainer, StepInputs draws) {
    this(trainer, draws, trainer.transitions(draws));
  }

  StepTrial(ControlTrainer trainer, StepInputs draws, Experience.Batch batch) {
    this.trainer = trainer;
    this.draws = draws;
    this.batch = batch;
    stir(trainer.successor.target(), 1);
    this.features = trainable(trainer.features.weights());
    this.successor = trainable(trainer.successor.weights());
    this.targetSuccessor = trainer.successor.target().targetCopy();
    this.actor = trainable(trainer.actor.weights());
  }

  /** Data without any structure, with unequal discounts. */
  public static Experience noise(Path folder) {
    Random random = new Random(1);
    DatasetDescription description =
        new DatasetDescription(
            "noise", "none", "random", Json.object(), 1, new Columns(OBSERVATION, ACTION, 0));
    try (DatasetWriter writer = DatasetWriter.create(folder, description)) {
      for (int i = 0; i < 6; i++) {
        int rows = 9;
        float[] observations = new float[rows * OBSERVATION];
        float[] actions = new float[rows * ACTION];
        float[] discounts = new float[rows];
        for (int k = 0; k < observations.length; k++) {
          observations[k] = (float) random.nextGaussian();
        }
        for (int k = ACTION; k < actions.length; k++) {
          actions[k] = 2 * random.nextFloat() - 1;
        }
        for (int k = 0; k < rows; k++) {
          discounts[k] = k == 0 ? 1 : random.nextInt(3) / 2f;
        }
        writer.append(new Episode(observations, actions, discounts, new double[0], Map.of()));
      }
      writer.flush();
    }
    return new Experience(Dataset.open(folder));
  }

  /** Moves a target away from its online network, so that the two cannot be mixed up. */
  static void stir(Parameters target, long seed) {
    Random random = new Random(seed);
    try (NoGradGuard noGradient = new NoGradGuard()) {
      for (Tensor tensor : target.asMap().values()) {
        tensor.add_(Tensors.gaussian(random, tensor.sizes().vec().get()).mul(Tensors.scalar(0.3)));
      }
    }
  }

  /** A copy that takes gradients. */
  static Parameters trainable(Parameters parameters) {
    Parameters copy = new Parameters();
    parameters.asMap().forEach(copy::add);
    return copy;
  }

  static boolean same(Parameters before, Parameters after) {
    return before.asMap().keySet().stream()
        .allMatch(
            name ->
                Arrays.equals(
                    Tensors.toFloats(before.get(name)), Tensors.toFloats(after.get(name))));
  }

  static void assertAveraged(Parameters before, Parameters online, Parameters after) {
    assertNull(SmallWorlds.notAveraged(before, online, after, RATE));
  }

  /** The gradient that the first step of an optimiser took, of all seeds. */
  private Tensor taken(String optimiser, String name) {
    TensorVector parts = new TensorVector();
    for (long seed : trainer.seeds()) {
      TensorData moment =
          trainer.checkpoint(seed).get("adam_%s/%s.first".formatted(optimiser, name));
      parts.push_back(Tensors.floats(moment.floats(), moment.shape()));
    }
    return torch.cat(parts, 0).mul(Tensors.scalar(10));
  }

  /** The step's gradients were those of a loss of the networks as they were before it. */
  void assertFollowed(Tensor loss, String optimiser, Parameters before) {
    // The graph is kept: one loss may teach two networks.
    TensorVector expected =
        torch.grad(
            new TensorVector(loss),
            before.vector(),
            new TensorVector(),
            new BoolOptional(true),
            false,
            false);
    double largest = 0;
    for (long i = 0; i < expected.size(); i++) {
      largest = Math.max(largest, Handles.at(expected, i).abs().max().item_double());
    }
    int index = 0;
    for (String name : before.asMap().keySet()) {
      Tensor gradient = Handles.at(expected, index++);
      double error = gradient.sub(taken(optimiser, name)).abs().max().item_double() / largest;
      assertTrue(error < TOLERANCE, "%s: relative error %s".formatted(name, error));
    }
    assertTrue(largest > 1e-3, "the gradient is too small to tell");
  }

  void assertNotTrained(String optimiser, Parameters before, Parameters after) {
    assertTrue(same(before, after), optimiser + " moved");
    for (String name : before.asMap().keySet()) {
      assertTrue(taken(optimiser, name).abs().max().item_double() == 0, name);
    }
  }

  /** Task vectors by the plain rule, row by row. */
  Tensor tasks(Tensor goals) {
    int d = (int) goals.size(2);
    int rows = (int) goals.size(1);
    float[] goal = Tensors.toFloats(goals);
    float[] noise = Tensors.toFloats(draws.get(Draw.TASK_NOISE));
    float[] mixed = Tensors.toFloats(draws.get(Draw.MIXED));
    float[] order = Tensors.toFloats(draws.get(Draw.PERMUTATION).to(torch.ScalarType.Float));
    double[] tasks = new double[goal.length];
    int[] kinds = new int[2];
    for (int seed = 0; seed < goals.size(0); seed++) {
      for (int row = 0; row < rows; row++) {
        int place = seed * rows + row;
        boolean own = mixed[place] > 0;
        kinds[own ? 1 : 0]++;
        float[] source = own ? goal : noise;
        int from = own ? (seed * rows + (int) order[place]) * d : place * d;
        double square = 0;
        for (int k = 0; k < d; k++) {
          square += (double) source[from + k] * source[from + k];
        }
        for (int k = 0; k < d; k++) {
          tasks[place * d + k] = source[from + k] * Math.sqrt(d / square);
        }
      }
    }
    assertTrue(kinds[0] > 0 && kinds[1] > 0, "the example must have both kinds of task");
    return Tensors.floats(tasks, goals.size(0), rows, d);
  }

  /** a′ of the actor as it was, with the step's noise. */
  Tensor nextActions(Tensor tasks) {
    return sample(batch.nextObservations(), tasks, Draw.NEXT_NOISE).detach();
  }

  private Tensor sample(Tensor observations, Tensor tasks, Draw noise) {
    return TruncatedNormal.sample(
        trainer.shapes.meanAction(actor, observations, tasks), draws.get(noise), 0.2, 0.3);
  }

  /** γ of a transition, of the settings, times that of each row: seeds × 1 × rows × 1. */
  Tensor discounts() {
    return discounts(Math.pow(0.9, trainer.data().stride()));
  }

  Tensor discounts(double ofTransition) {
    return batch.discounts().mul(Tensors.scalar(ofTransition)).unsqueeze(1);
  }

  Tensor psi(Parameters parameters, Tensor observations, Tensor tasks, Tensor actions) {
    return successor(trainer.shapes.successor(), parameters, observations, tasks, actions);
  }

  static Tensor successor(
      Towers towers, Parameters parameters, Tensor observations, Tensor condition, Tensor actions) {
    return towers.forward(
        parameters,
        new Towers.Inputs(observations, actions),
        new Towers.Inputs(observations, condition));
  }

  Tensor phi(Parameters parameters, Tensor observations) {
    return trainer.shapes.features().forward(parameters, observations);
  }

  /** The actor climbed the smaller of both values that ψ gives after its own step. */
  void assertActorImproved(Tensor tasks) {
    Tensor actions = sample(batch.observations(), tasks, Draw.ACTOR_NOISE);
    Tensor values =
        psi(trainer.successor.weights(), batch.observations(), tasks, actions)
            .mul(tasks.unsqueeze(1))
            .sum(-1);
    Tensor loss = values.amin(new long[] {1}, false).mean(-1).sum().neg();
    assertFollowed(loss, "actor", actor);
  }

  /** What every agent has in common: ψ's target follows its online network after the step. */
  void assertSuccessorFollowedBy(Tensor loss) {
    assertFollowed(loss, "successor", successor);
    assertAveraged(targetSuccessor, trainer.successor.weights(), trainer.successor.target());
  }
}
