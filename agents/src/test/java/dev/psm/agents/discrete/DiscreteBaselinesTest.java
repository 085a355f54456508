package dev.psm.agents.discrete;

import static dev.psm.torch.Tensors.scalar;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.agents.LibtorchExtension;
import dev.psm.agents.Losses;
import dev.psm.agents.Model;
import dev.psm.agents.SmallWorlds;
import dev.psm.agents.Steps;
import dev.psm.agents.control.StepMath;
import dev.psm.agents.control.SuccessorFeatureLoss;
import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.GradientTrainer;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.io.TensorData;
import dev.psm.core.settings.Settings;
import dev.psm.torch.Device;
import dev.psm.torch.Handles;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.AutoGradMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LibtorchExtension.class)
class DiscreteBaselinesTest {
  private static final double DISCOUNT = 0.8;
  private static final Steps LINE = LineWorld.LINE;
  @TempDir static Path folder;
  private static Experience data;

  @BeforeAll
  static void collect() {
    data = LINE.collectNumbered(folder.resolve("data"), 400, 10, 1);
  }

  private static DiscreteSettings settings(String agent, int steps, String... overrides) {
    Agent declared = Agents.named(agent, LINE.numbered());
    Map<String, String> all = new LinkedHashMap<>();
    String[] small = {
      "gradientSteps=" + steps,
      "batchSize=64",
      "featureScope=both",
      "featureDimension=5",
      "width=32",
      "featureWidth=16",
      "targetRate=0.02",
      "bootstrap=mean",
      "discount=" + DISCOUNT
    };
    for (String each : small) {
      all.put(each.substring(0, each.indexOf('=')), each);
    }
    for (String each : overrides) {
      all.put(each.substring(0, each.indexOf('=')), each);
    }
    return (DiscreteSettings)
        Settings.override(declared.preset("small", LINE.numbered()), List.copyOf(all.values()));
  }

  private static GradientTrainer trainer(
      String agent, World world, int steps, List<Long> seeds, String... overrides) {
    DiscreteSettings settings = settings(agent, steps, overrides);
    return agent.equals("fb")
        ? new DiscreteForwardBackward(settings, world, data, seeds)
        : new DiscreteLaplacian(settings, world, data, seeds);
  }

  /** From everywhere to everywhere by an optimal action. */
  @ParameterizedTest
  @ValueSource(strings = {"fb", "laplacian"})
  void policiesOfGoalsAreOptimal(String agent) {
    GradientTrainer trainer = trainer(agent, LineWorld.whole(), 3000, List.of(2L));
    for (int i = 0; i < 3000; i++) {
      trainer.step();
    }
    try (Model model = trainer.model(2)) {
      float[] sample = model.features(LINE.observations());
      int wrong = 0;
      for (int goal = 0; goal < 5; goal++) {
        float[] task = model.goalVectors(sample, model.goalFeatures(LINE.observation(goal)));
        double[][] optimal = LINE.optimal(goal, DISCOUNT);
        for (int state = 0; state < 5; state++) {
          int action = (int) model.act(LINE.observation(state), task)[0];
          wrong +=
              optimal[state][action] < Math.max(optimal[state][0], optimal[state][1]) - 1e-9
                  ? 1
                  : 0;
        }
      }
      assertTrue(wrong <= 1, wrong + " of 25 actions are wrong");
    }
  }

  /**
   * Where features tell goals apart alone, F(s, a, z)ᵀB(g) becomes the exact density of entering
   * the states that are the goal g, under the optimal policy that z asks for. Goals are place 0,
   * place 1, and all others together.
   */
  @ParameterizedTest
  @ValueSource(strings = {"mean", "smaller"})
  void densitiesOfGoalsAloneAreExact(String bootstrap) {
    String[] settings = {"featureScope=goals", "featureDimension=3", "bootstrap=" + bootstrap};
    GradientTrainer trainer = trainer("fb", LineWorld.partial(), 3000, List.of(2L), settings);
    for (int i = 0; i < 3000; i++) {
      trainer.step();
    }
    double[] rho = LINE.entered(data.dataset());
    SuccessorNetwork.Layout layout =
        settings("fb", 3000, settings).shape(DiscreteModel.Kind.MEASURE).successor(5, 2);
    try (Model model = trainer.model(2);
        ObservationCode code = ObservationCode.of(data.dataset(), new int[] {0, 1}, Device.CPU)) {
      Parameters forward = loaded(layout.shape(), trainer.checkpoint(2), "successor/");
      float[] goals = {1, 0, 0, 1, 0, 0};
      float[] features = model.goalFeatures(goals);
      float[] tasks = model.goalVectors(features, features);
      double worst = 0;
      for (int goal = 0; goal < 3; goal++) {
        int first = goal;
        int last = goal == 2 ? 4 : goal;
        double density = Arrays.stream(rho, first, last + 1).sum();
        double[][] optimal = LINE.optimal(first, last, DISCOUNT);
        Tensor z = Tensors.floats(row(tasks, goal, 3), 1, 1, 3);
        Tensor b = Tensors.floats(row(features, goal, 3), 3);
        for (int state = 0; state < 5; state++) {
          Tensor s = code.states(Tensors.floats(LINE.observation(state), 1, 1, 5));
          Tensor m = layout.forward(forward, s, z).matmul(b).mean(1);
          for (int action = 0; action < 2; action++) {
            double measure = density * m.get(0).get(0).get(action).item_double();
            worst = Math.max(worst, Math.abs(measure - optimal[state][action]));
          }
        }
      }
      // The largest measure is 1/(1 − γ) = 5.
      assertTrue(worst < 0.25, "the largest difference is " + worst);
    }
  }

  private static float[] row(float[] all, int row, int size) {
    return Arrays.copyOfRange(all, row * size, (row + 1) * size);
  }

  /** All states that are one goal have its features: a reward counts as its mean at each goal. */
  @ParameterizedTest
  @ValueSource(strings = {"fb", "laplacian"})
  void statesAreTheirGoalsWhereGoalsAloneAreToldApart(String agent) {
    GradientTrainer trainer =
        trainer(agent, LineWorld.partial(), 10, List.of(1L), "featureScope=goals");
    trainer.step();
    try (Model model = trainer.model(1)) {
      float[] sample = model.features(LINE.observations());
      float[] goals = model.goalFeatures(new float[] {1, 0, 0, 1, 0, 0, 0, 0, 0, 0});
      assertArrayEquals(goals, sample, 1e-6f);
      float[] one = model.taskVector(sample, new double[] {0, 5, 1, 2, 3});
      float[] other = model.taskVector(sample, new double[] {0, 5, 3, 1, 2});
      assertArrayEquals(one, other, 1e-4f);
    }
  }

  /**
   * The step's gradients of F and B are those that libtorch finds of the losses as they are
   * written, on every pair of the batch, whole states and goals.
   */
  @ParameterizedTest
  @CsvSource({
    "false, both, mean",
    "true, both, mean",
    "true, both, smaller",
    "true, goals, mean",
    "true, goals, smaller"
  })
  void forwardBackwardDescendsOnItsLoss(boolean partial, String scope, String bootstrap) {
    World world = partial ? LineWorld.partial() : LineWorld.whole();
    String[] overrides = {"featureScope=" + scope, "bootstrap=" + bootstrap};
    GradientTrainer trainer = trainer("fb", world, 10, List.of(4L), overrides);
    Map<String, TensorData> before = trainer.checkpoint(4);
    StepInputs inputs = trainer.draw();
    trainer.step(inputs);
    Map<String, TensorData> after = trainer.checkpoint(4);
    Map<String, double[]> metrics = trainer.metrics();
    try (AutoGradMode on = new AutoGradMode(true)) {
      DiscreteSettings settings = settings("fb", 10, overrides);
      ObservationCode code = ObservationCode.of(data.dataset(), world.achievedGoal(), Device.CPU);
      DiscreteModel.Shape shape = settings.shape(DiscreteModel.Kind.MEASURE);
      SuccessorNetwork.Layout layout = shape.successor(5, 2);
      ParallelMlp featureShape = shape.features(code.enteredSize());
      Parameters forward = loaded(layout.shape(), before, "successor/");
      Parameters targetForward = loaded(layout.shape(), before, "target_successor/");
      Parameters backward = loaded(featureShape, before, "features/");
      Parameters targetBackward = loaded(featureShape, before, "target_features/");
      Experience.Batch batch = data.gather(inputs.get(Draw.ROWS));
      Tensor wholes = code.wholes(batch.nextObservations()).detach();
      Tensor goals = code.goals(batch.nextObservations()).detach();
      Tensor tasks =
          StepMath.on(Device.CPU)
              .taskVectors(Tensors.onSphere(featureShape.forward(backward, goals)).detach(), inputs)
              .detach();
      Tensor nextStates = code.states(batch.nextObservations()).detach();
      Tensor next = layout.forward(targetForward, nextStates, tasks).detach().squeeze(0);
      Tensor f =
          layout.forward(forward, code.states(batch.observations()).detach(), tasks).squeeze(0);
      Tensor z = tasks.squeeze(0);
      Tensor loss = torch.zeros(1).squeeze();
      List<Tensor> kinds = partial ? List.of(wholes, goals) : List.of(wholes);
      List<Tensor> told = scope.equals("goals") ? List.of(goals) : kinds;
      for (int kind = 0; kind < told.size(); kind++) {
        Tensor entered = told.get(kind);
        Tensor b = Tensors.onSphere(featureShape.forward(backward, entered)).squeeze(0);
        Tensor targetB =
            Tensors.onSphere(featureShape.forward(targetBackward, entered)).detach().squeeze(0);
        TensorVector[] targetRows = {new TensorVector(), new TensorVector()};
        TensorVector[] rows = {new TensorVector(), new TensorVector()};
        for (int row = 0; row < 64; row++) {
          // argmax_a min_p F̄_p(s′, a, z)ᵀz, by hand.
          int best = 0;
          double[] values = new double[2];
          for (int action = 0; action < 2; action++) {
            values[action] = Double.POSITIVE_INFINITY;
            for (int member = 0; member < 2; member++) {
              double value = next.get(member).get(row).get(action).dot(z.get(row)).item_double();
              values[action] = Math.min(values[action], value);
            }
            best = values[action] > values[best] ? action : best;
          }
          int taken = (int) batch.actions().get(0).get(row).item_double();
          for (int member = 0; member < 2; member++) {
            targetRows[member].push_back(
                next.get(member)
                    .get(row)
                    .get(best)
                    .mul(batch.discounts().get(0).get(row))
                    .mul(scalar(DISCOUNT)));
            rows[member].push_back(f.get(member).get(row).get(taken));
          }
        }
        Tensor one = torch.stack(targetRows[0]).matmul(targetB.t()).detach();
        Tensor other = torch.stack(targetRows[1]).matmul(targetB.t()).detach();
        Tensor target =
            bootstrap.equals("mean") ? one.add(other).mul(scalar(0.5)) : torch.minimum(one, other);
        Tensor measure = torch.zeros(1).squeeze();
        for (TensorVector member : rows) {
          measure = measure.add(Losses.contrastive(torch.stack(member).matmul(b.t()), target, 1));
        }
        // Half of the form with 2E[φφᵀ]: ½E(φ_iφ_j)² − Eφ².
        Tensor orthonormality = Losses.orthonormality(b).mul(scalar(0.5));
        String prefix = kind == 0 ? "" : "goal_";
        assertLogged(measure, metrics.get(prefix + "measure_loss"));
        assertLogged(orthonormality, metrics.get(prefix + "orthonormality"));
        loss = loss.add(measure).add(orthonormality);
      }
      TensorVector[] gradients = Tensors.gradients(loss, forward, backward);
      compare(gradients[0], forward, "adam_successor/", after);
      compare(gradients[1], backward, "adam_features/", after);
    }
  }

  /** Of the features' loss, on whole states and goals, and of the successor features'. */
  @ParameterizedTest
  @CsvSource({"false, both", "true, both", "true, goals"})
  void laplacianDescendsOnItsLosses(boolean partial, String scope) {
    World world = partial ? LineWorld.partial() : LineWorld.whole();
    boolean goalsAlone = scope.equals("goals");
    GradientTrainer trainer = trainer("laplacian", world, 10, List.of(4L), "featureScope=" + scope);
    Map<String, TensorData> before = trainer.checkpoint(4);
    StepInputs inputs = trainer.draw();
    trainer.step(inputs);
    Map<String, TensorData> after = trainer.checkpoint(4);
    try (AutoGradMode on = new AutoGradMode(true)) {
      ObservationCode code = ObservationCode.of(data.dataset(), world.achievedGoal(), Device.CPU);
      DiscreteModel.Shape shape = settings("laplacian", 10).shape(DiscreteModel.Kind.FEATURES);
      ParallelMlp featureShape = shape.features(code.enteredSize());
      Parameters features = loaded(featureShape, before, "features/");
      Experience.Batch batch = data.gather(inputs.get(Draw.ROWS));
      Tensor phi = phi(featureShape, features, codes(code, batch.observations(), goalsAlone));
      Tensor next = phi(featureShape, features, codes(code, batch.nextObservations(), goalsAlone));
      Tensor loss = phi.sub(next).square().mean().add(Losses.orthonormality(phi));
      if (partial && !goalsAlone) {
        Tensor goal = phi(featureShape, features, code.goals(batch.nextObservations()));
        loss = loss.add(phi.sub(goal).square().mean());
      }
      compare(Tensors.gradients(loss, features)[0], features, "adam_features/", after);
      // ψ's target has the features after their step.
      Parameters moved = loaded(featureShape, after, "features/");
      Tensor entered =
          phi(featureShape, moved, codes(code, batch.nextObservations(), goalsAlone)).detach();
      Tensor goals = phi(featureShape, moved, code.goals(batch.nextObservations())).detach();
      Tensor tasks =
          StepMath.on(Device.CPU)
              .taskVectors(
                  SuccessorFeatureLoss.goalVectors(entered.unsqueeze(0), goals.unsqueeze(0)),
                  inputs);
      SuccessorNetwork.Layout layout = shape.successor(5, 2);
      Parameters successor = loaded(layout.shape(), before, "successor/");
      Parameters target = loaded(layout.shape(), before, "target_successor/");
      Tensor all =
          layout
              .forward(target, code.states(batch.nextObservations()).detach(), tasks)
              .detach()
              .squeeze(0);
      Tensor psi =
          layout.forward(successor, code.states(batch.observations()).detach(), tasks).squeeze(0);
      Tensor sum = torch.zeros(1).squeeze();
      for (int row = 0; row < 64; row++) {
        Tensor z = tasks.get(0).get(row);
        double best = Double.NEGATIVE_INFINITY;
        double discounted = 0;
        for (int action = 0; action < 2; action++) {
          double smaller =
              Math.min(
                  all.get(0).get(row).get(action).dot(z).item_double(),
                  all.get(1).get(row).get(action).dot(z).item_double());
          best = Math.max(best, smaller);
          discounted = DISCOUNT * batch.discounts().get(0).get(row).item_double() * best;
        }
        double y = entered.get(row).dot(z).item_double() + discounted;
        int taken = (int) batch.actions().get(0).get(row).item_double();
        for (int member = 0; member < 2; member++) {
          sum = sum.add(psi.get(member).get(row).get(taken).dot(z).sub(scalar(y)).square());
        }
      }
      compare(
          Tensors.gradients(sum.div(scalar(64)), successor)[0],
          successor,
          "adam_successor/",
          after);
    }
  }

  private static void assertLogged(Tensor expected, double[] logged) {
    assertArrayEquals(
        Tensors.toDoubles(expected.reshape(1)), logged, 1e-4 * (1 + Math.abs(logged[0])));
  }

  private static Tensor codes(ObservationCode code, Tensor observations, boolean goals) {
    return goals ? code.goals(observations) : code.wholes(observations);
  }

  private static Tensor phi(ParallelMlp shape, Parameters weights, Tensor entered) {
    return Tensors.onSphere(shape.forward(weights, entered.detach())).squeeze(0);
  }

  private static Parameters loaded(
      ParallelMlp shape, Map<String, TensorData> tensors, String prefix) {
    Parameters parameters = new Parameters();
    shape.blank(parameters, 1);
    parameters.load(prefix, tensors, "memory");
    return parameters;
  }

  private static void compare(
      TensorVector found, Parameters leaves, String prefix, Map<String, TensorData> after) {
    int i = 0;
    for (String name : leaves.asMap().keySet()) {
      float[] expected = Tensors.toFloats(Handles.at(found, i++));
      float[] moment = after.get(prefix + name + ".first").floats();
      for (int j = 0; j < moment.length; j++) {
        moment[j] *= 10;
      }
      float largest = 0;
      for (float each : expected) {
        largest = Math.max(largest, Math.abs(each));
      }
      assertArrayEquals(expected, moment, 1e-4f * (1 + largest), prefix + name);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "fb, both, mean",
    "fb, both, smaller",
    "fb, goals, mean",
    "fb, goals, smaller",
    "laplacian, both, mean",
    "laplacian, goals, mean"
  })
  void aRestoredTrainerGoesOnToTheBitAndSeedsAreAlone(
      String agent, String scope, String bootstrap) {
    String[] overrides = {"featureScope=" + scope, "bootstrap=" + bootstrap};
    GradientTrainer whole = trainer(agent, LineWorld.partial(), 10, List.of(1L, 2L), overrides);
    GradientTrainer alone = trainer(agent, LineWorld.partial(), 10, List.of(2L), overrides);
    GradientTrainer again = trainer(agent, LineWorld.partial(), 10, List.of(1L, 2L), overrides);
    for (int i = 0; i < 6; i++) {
      whole.step();
      alone.step();
      if (i < 3) {
        again.step();
      }
    }
    GradientTrainer second = trainer(agent, LineWorld.partial(), 10, List.of(1L, 2L), overrides);
    for (long seed : List.of(1L, 2L)) {
      second.restore(seed, again.checkpoint(seed), "memory");
    }
    for (int i = 3; i < 6; i++) {
      second.step();
    }
    Map<String, TensorData> expected = whole.checkpoint(2);
    Map<String, TensorData> alonePart = alone.checkpoint(2);
    second
        .checkpoint(2)
        .forEach(
            (name, tensor) -> {
              if (!name.equals("steps")) {
                assertArrayEquals(expected.get(name).floats(), tensor.floats(), name);
                assertArrayEquals(alonePart.get(name).floats(), tensor.floats(), 1e-3f, name);
              }
            });
  }

  /** A model of a file is the model that was trained; one that was tampered with is refused. */
  @ParameterizedTest
  @CsvSource({"fb, both", "fb, goals", "laplacian, both", "laplacian, goals", "psm, "})
  void modelsAreMadeAgainFromTheirTensors(String agent, String scope) {
    World world = LineWorld.partial();
    GradientTrainer trainer =
        agent.equals("psm")
            ? new MeshPsm(
                Settings.override(
                    MeshPsmSettings.presets(world).get("small"),
                    List.of("meshRows=8", "meshColumns=4", "width=8", "supports=3")),
                world,
                data,
                List.of(1L))
            : trainer(agent, world, 10, List.of(1L), "featureScope=" + scope);
    trainer.step();
    Agent declared = Agents.named(agent, world);
    try (Model model = trainer.model(1);
        Model again = declared.model(model.shape(), world, model.tensors(), "file")) {
      assertArrayEquals(new int[] {0, 1}, again.goalColumns());
      float[] goals = again.goalFeatures(new float[] {1, 0, 0, 1});
      float[] sample = again.features(LINE.observations());
      assertArrayEquals(model.features(LINE.observations()), sample);
      float[] tasks = again.goalVectors(sample, goals);
      assertArrayEquals(model.goalVectors(sample, goals), tasks);
      float[] two = new float[10];
      System.arraycopy(LINE.observation(3), 0, two, 0, 5);
      System.arraycopy(LINE.observation(1), 0, two, 5, 5);
      assertArrayEquals(model.act(two, tasks), again.act(two, tasks));
      double[] rewards = {0, 0, 1, 0, 5};
      assertArrayEquals(
          model.taskVector(sample, rewards), again.taskVector(sample, rewards), 1e-6f);
      Map<String, TensorData> cut = new LinkedHashMap<>(model.tensors());
      cut.remove("observation.mean");
      assertThrows(UserError.class, () -> declared.model(model.shape(), world, cut, "file"));
      for (float[] wrong : new float[][] {{0, 0, 0, 0, 0}, {5, 0, 0, 0, 0}}) {
        Map<String, TensorData> marked = new LinkedHashMap<>(model.tensors());
        marked.put("observation.goal", TensorData.of(wrong, 1, 1, 5));
        assertThrows(UserError.class, () -> declared.model(model.shape(), world, marked, "file"));
      }
      Map<String, TensorData> flat = new LinkedHashMap<>(model.tensors());
      flat.put("observation.deviation", TensorData.of(new float[5], 1, 1, 5));
      assertThrows(UserError.class, () -> declared.model(model.shape(), world, flat, "file"));
    }
  }

  /** Forward-Backward's source has features of goals alone; Laplacian has no such source. */
  @ParameterizedTest
  @CsvSource({
    "fb, small, BOTH, MEAN",
    "fb, paper, GOALS, SMALLER",
    "laplacian, small, BOTH, MEAN",
    "laplacian, paper, BOTH, MEAN"
  })
  void onlyThePaperPresetOfForwardBackwardIsForGoalsAlone(
      String agent, String preset, FeatureScope scope, Bootstrap bootstrap) {
    World world = LINE.numbered();
    DiscreteSettings settings = (DiscreteSettings) Agents.named(agent, world).preset(preset, world);
    assertEquals(scope, settings.featureScope());
    assertEquals(bootstrap, settings.bootstrap());
  }

  @Test
  void vectorsAsActionsAndKnownStatesAreOthers() {
    for (String id : List.of("psm", "fb", "laplacian")) {
      assertTrue(Agents.named(id, LINE.numbered()) instanceof DiscreteAgent<?, ?>, id);
      assertFalse(Agents.named(id, SmallWorlds.BODY) instanceof DiscreteAgent<?, ?>, id);
    }
    UserError refusal = assertThrows(UserError.class, () -> Agents.named("hilp", LINE.numbered()));
    assertTrue(refusal.getMessage().contains("vectors as actions"), refusal.getMessage());
  }
}
