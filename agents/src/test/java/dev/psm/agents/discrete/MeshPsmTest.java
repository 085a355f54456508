package dev.psm.agents.discrete;

import static dev.psm.torch.Tensors.scalar;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.LibtorchExtension;
import dev.psm.agents.Steps;
import dev.psm.agents.training.ActionCodebook;
import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.io.TensorData;
import dev.psm.core.settings.Settings;
import dev.psm.torch.Device;
import dev.psm.torch.Handles;
import dev.psm.torch.Tensors;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.AutoGradMode;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LibtorchExtension.class)
class MeshPsmTest {
  private static final double DISCOUNT = 0.8;
  private static final Steps LINE = LineWorld.LINE;
  private static final List<Long> SEEDS = List.of(3L, 8L);
  @TempDir static Path folder;
  private static Experience data;

  @BeforeAll
  static void collect() {
    data = LINE.collectNumbered(folder.resolve("data"), 400, 10, 1);
  }

  private static MeshPsmSettings settings(String... overrides) {
    MeshPsmSettings tiny =
        Settings.override(
            MeshPsmSettings.presets(LINE.numbered()).get("small"),
            List.of(
                "gradientSteps=100",
                "meshRows=12",
                "meshColumns=8",
                "pairsAtOnce=40",
                "basisDimension=3",
                "width=10",
                "layers=2",
                "coordinateWidth=7",
                "coordinateLayers=1",
                "discount=" + DISCOUNT,
                "massWeight=0.3",
                "enrichedCodes=4",
                "enrichmentStart=0",
                "enrichedShare=0.5",
                "solveCodes=4",
                "solveStates=6",
                "supports=8"));
    return Settings.override(tiny, List.of(overrides));
  }

  private static MeshPsm trainer(World world, List<Long> seeds, String... overrides) {
    return new MeshPsm(settings(overrides), world, data, seeds);
  }

  /**
   * The step's gradients are those that libtorch finds of equation 7 as it is written: Φ formed on
   * every pair, the mesh in one piece, [s, s⁺] through one undivided first layer.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void gradientsAreThoseOfTheEquation(boolean isPartial) {
    World world = isPartial ? LineWorld.partial() : LINE.numbered();
    MeshPsm trainer = trainer(world, SEEDS);
    for (int i = 0; i < 3; i++) {
      trainer.step();
    }
    // A fresh Adam, whose first moment after one step is a tenth of the gradient.
    Map<Long, Map<String, TensorData>> before = new LinkedHashMap<>();
    MeshPsm fresh = trainer(world, SEEDS);
    for (long seed : SEEDS) {
      Map<String, TensorData> checkpoint = new LinkedHashMap<>(trainer.checkpoint(seed));
      fresh
          .checkpoint(seed)
          .forEach(
              (k, v) -> {
                if (k.startsWith("adam_")) {
                  checkpoint.put(k, v);
                }
              });
      before.put(seed, checkpoint);
      fresh.restore(seed, checkpoint, "memory");
    }
    StepInputs inputs = fresh.draw();
    fresh.step(inputs);
    int compared = 0;
    for (int i = 0; i < SEEDS.size(); i++) {
      Plain plain = new Plain(before.get(SEEDS.get(i)), world, inputs, i);
      Map<String, float[]> expected = plain.gradients();
      Map<String, TensorData> after = fresh.checkpoint(SEEDS.get(i));
      for (Map.Entry<String, float[]> entry : expected.entrySet()) {
        float[] moment = after.get("adam_" + entry.getKey() + ".first").floats();
        float[] found = new float[moment.length];
        for (int j = 0; j < found.length; j++) {
          found[j] = moment[j] * 10;
        }
        assertArrayEquals(entry.getValue(), found, 2e-5f, entry.getKey());
        compared++;
      }
      assertEquals(plain.loss, fresh.metrics().get("measure_loss")[i], 1e-5);
    }
    assertTrue(compared > 20, "compared " + compared);
  }

  /** The whole step of one seed again, in the plainest form. */
  private static final class Plain {
    private final Map<String, Tensor> leaves = new LinkedHashMap<>();
    private final Map<String, TensorData> checkpoint;
    private final int seed;
    private final StepInputs inputs;
    private final World world;
    private double loss;

    Plain(Map<String, TensorData> checkpoint, World world, StepInputs inputs, int seed) {
      this.checkpoint = checkpoint;
      this.world = world;
      this.inputs = inputs;
      this.seed = seed;
      checkpoint.forEach(
          (name, value) -> {
            if (name.startsWith("measure/")
                || name.startsWith("coordinates/")
                || name.startsWith("enriched/")) {
              leaves.put(
                  name,
                  Tensors.floats(value.floats(), value.shape()).squeeze(0).set_requires_grad(true));
            }
          });
    }

    private Tensor weight(String network, String name) {
      return network.startsWith("target_")
          ? Tensors.floats(
                  checkpoint.get(network + "/" + name).floats(),
                  checkpoint.get(network + "/" + name).shape())
              .squeeze(0)
          : leaves.get(network + "/" + name);
    }

    /** Φ and b: pairs × actions × (d + 1). */
    private Tensor basis(String network, Tensor pairs) {
      Tensor w =
          torch.cat(
              new TensorVector(
                  weight(network, "measure.trunk.left.weight"),
                  weight(network, "measure.trunk.right.weight")),
              0);
      Tensor h = pairs.matmul(w).add(weight(network, "measure.trunk.left.bias"));
      Tensor centred = h.sub(h.mean(new long[] {1}, true, new ScalarTypeOptional()));
      Tensor variance = centred.square().mean(new long[] {1}, true, new ScalarTypeOptional());
      h =
          centred
              .div(variance.add(scalar(1e-5)).sqrt())
              .mul(weight(network, "measure.trunk.norm.weight"))
              .add(weight(network, "measure.trunk.norm.bias"))
              .tanh();
      h =
          h.matmul(weight(network, "measure.trunk.trunk.0.weight"))
              .add(weight(network, "measure.trunk.trunk.0.bias"))
              .relu();
      return h.matmul(weight(network, "measure.head.weight"))
          .add(weight(network, "measure.head.bias"))
          .view(-1, 2, 4);
    }

    private Tensor coordinates(String prefix, Tensor bits) {
      Tensor h =
          bits.matmul(weight(prefix + "coordinates", "coordinates.0.weight"))
              .add(weight(prefix + "coordinates", "coordinates.0.bias"))
              .relu();
      return Tensors.onSphere(
          h.matmul(weight(prefix + "coordinates", "coordinates.1.weight"))
              .add(weight(prefix + "coordinates", "coordinates.1.bias")));
    }

    private static Tensor withBias(Tensor w) {
      return torch.cat(new TensorVector(w, torch.ones(w.size(0), 1)), 1);
    }

    Map<String, float[]> gradients() {
      try (AutoGradMode on = new AutoGradMode(true)) {
        ObservationCode code = ObservationCode.of(data.dataset(), world.achievedGoal(), Device.CPU);
        ActionCodebook codebook = ActionCodebook.numbered(SEEDS, 2, Device.CPU);
        Experience.Batch batch = data.gather(inputs.get(Draw.ROWS));
        Tensor codes = inputs.get(Draw.CODES);
        Tensor bits = codebook.bits(codes).get(seed);
        Tensor mixed = inputs.get(Draw.MIXED).get(seed).gt(scalar(0));
        Tensor which = codes.get(seed).remainder(Tensors.whole(4));
        Tensor w =
            torch.where(
                mixed,
                Tensors.onSphere(leaves.get("enriched/enriched.coordinates"))
                    .index_select(0, which),
                coordinates("", bits));
        Tensor targetW =
            torch.where(
                mixed,
                Tensors.onSphere(weight("target_enriched", "enriched.coordinates"))
                    .index_select(0, which),
                coordinates("target_", bits));
        Tensor states = code.states(batch.observations()).detach().get(seed);
        Tensor nextStates = code.states(batch.nextObservations()).detach().get(seed);
        // The greedy action for the code's own goal, or the codebook's.
        Tensor goals =
            Tensors.floats(
                    checkpoint.get("enriched_goals/enriched.goals").floats(),
                    checkpoint.get("enriched_goals/enriched.goals").shape())
                .squeeze(0);
        Tensor q =
            basis(
                    "target_measure",
                    torch.cat(new TensorVector(nextStates, goals.index_select(0, which)), 1))
                .matmul(withBias(targetW).unsqueeze(2))
                .squeeze(2);
        Tensor nextActions =
            torch.where(
                mixed.squeeze(1),
                q.argmax(new LongOptional(1), false),
                codebook
                    .actions(codes, batch.nextRows())
                    .get(seed)
                    .squeeze(1)
                    .to(torch.ScalarType.Long));
        Tensor actions = batch.actions().get(seed).squeeze(1).to(torch.ScalarType.Long);
        Tensor drawn = data.entered(inputs.get(Draw.COLUMNS));
        int kinds = world.achievedGoal().length < 5 ? 2 : 1;
        Tensor sum = torch.zeros(1).squeeze();
        long each = drawn.size(1) / kinds;
        for (int kind = 0; kind < kinds; kind++) {
          Tensor part = drawn.narrow(1, kind * each, each);
          Tensor columns = (kind == 0 ? code.wholes(part) : code.goals(part)).detach().get(seed);
          Tensor own =
              (kind == 0
                      ? code.wholes(batch.nextObservations())
                      : code.goals(batch.nextObservations()))
                  .detach()
                  .get(seed);
          Tensor m = mesh("measure", states, columns, actions, w);
          Tensor bootstrap =
              mesh("target_measure", nextStates, columns, nextActions, targetW)
                  .mul(batch.discounts().get(seed))
                  .mul(scalar(DISCOUNT))
                  .detach();
          TensorVector diagonal = new TensorVector();
          for (long row = 0; row < states.size(0); row++) {
            diagonal.push_back(
                mesh(
                        "measure",
                        states.narrow(0, row, 1),
                        own.narrow(0, row, 1),
                        actions.narrow(0, row, 1),
                        w.narrow(0, row, 1))
                    .view(-1));
          }
          sum =
              sum.add(m.sub(bootstrap).square().mean().mul(scalar(0.5)))
                  .sub(torch.cat(diagonal, 0).mean().mul(scalar(1 - DISCOUNT)));
          // c/2 E_i[(E_j m − 1)²], of even and of odd columns.
          Tensor halves = m.view(m.size(0), -1, 2).mean(1).sub(scalar(1));
          sum = sum.add(halves.select(1, 0).mul(halves.select(1, 1)).mean().mul(scalar(0.15)));
        }
        loss = sum.item_double();
        TensorVector found =
            Tensors.gradients(sum, new TensorVector(leaves.values().toArray(new Tensor[0])));
        Map<String, float[]> gradients = new LinkedHashMap<>();
        int i = 0;
        for (String name : leaves.keySet()) {
          gradients.put(name, Tensors.toFloats(Handles.at(found, i++)));
        }
        return gradients;
      }
    }

    /** m of every row with every column. */
    private Tensor mesh(String network, Tensor states, Tensor columns, Tensor actions, Tensor w) {
      long rows = states.size(0);
      long count = columns.size(0);
      Tensor pairs =
          torch.cat(
              new TensorVector(
                  states.unsqueeze(1).expand(rows, count, states.size(1)),
                  columns.unsqueeze(0).expand(rows, count, columns.size(1))),
              2);
      Tensor all =
          basis(network, pairs.reshape(rows * count, -1))
              .view(rows, count, 2, 4)
              .matmul(withBias(w).view(rows, 1, 4, 1))
              .squeeze(3);
      return all.gather(2, actions.view(rows, 1, 1).expand(rows, count, 1)).squeeze(2);
    }
  }

  /** How much of the mesh is computed at once changes memory, and nothing else. */
  @Test
  void partsOfTheMeshMakeTheWhole() {
    MeshPsm small = trainer(LineWorld.partial(), SEEDS, "pairsAtOnce=1");
    MeshPsm large = trainer(LineWorld.partial(), SEEDS, "pairsAtOnce=100000");
    for (int i = 0; i < 5; i++) {
      small.step();
      large.step();
    }
    Map<String, TensorData> expected = large.checkpoint(3);
    small
        .checkpoint(3)
        .forEach(
            (name, found) -> {
              if (!name.equals("steps")) {
                assertArrayEquals(expected.get(name).floats(), found.floats(), 2e-4f, name);
              }
            });
  }

  @Test
  void seedsSideBySideLearnWhatTheyLearnAlone() {
    MeshPsm both = trainer(LineWorld.partial(), SEEDS);
    MeshPsm alone = trainer(LineWorld.partial(), List.of(8L));
    for (int i = 0; i < 5; i++) {
      both.step();
      alone.step();
    }
    Map<String, TensorData> expected = alone.checkpoint(8);
    both.checkpoint(8)
        .forEach(
            (name, found) -> {
              if (!name.equals("steps")) {
                assertArrayEquals(expected.get(name).floats(), found.floats(), 2e-4f, name);
              }
            });
  }

  @Test
  void aRestoredTrainerGoesOnToTheBit() {
    // Restored before codes are enriched, at the fifth of six steps.
    String[] later = {"enrichmentStart=0.7", "gradientSteps=6"};
    MeshPsm whole = trainer(LineWorld.partial(), SEEDS, later);
    MeshPsm first = trainer(LineWorld.partial(), SEEDS, later);
    for (int i = 0; i < 3; i++) {
      whole.step();
      first.step();
    }
    MeshPsm second = trainer(LineWorld.partial(), SEEDS, later);
    SEEDS.forEach(seed -> second.restore(seed, first.checkpoint(seed), "memory"));
    for (int i = 0; i < 3; i++) {
      whole.step();
      second.step();
    }
    for (long seed : SEEDS) {
      Map<String, TensorData> expected = whole.checkpoint(seed);
      second
          .checkpoint(seed)
          .forEach(
              (name, found) -> {
                if (!name.equals("steps")) {
                  assertArrayEquals(expected.get(name).floats(), found.floats(), name);
                }
              });
    }
  }

  /** As a GPU does: inputs by the block. */
  @Test
  void stepsByTheBlockRun() {
    MeshPsm trainer = trainer(LineWorld.partial(), SEEDS, "enrichmentStart=0.5", "gradientSteps=6");
    trainer.stepEagerly();
    for (int i = 0; i < 6; i++) {
      trainer.step();
    }
    assertTrue(trainer.firstNotFinite().isEmpty());
    assertTrue(Double.isFinite(trainer.metrics().get("mass")[1]));
  }

  /**
   * Codes keyed by the rows of the data stand for the uniformly random policy on a line of five
   * places, of which everything is known: (1 − γ) M(s, a, s⁺)/ρ(s⁺), its mean over the data 1.
   */
  @Test
  void theMeasureOfTheCodebookIsExact() {
    MeshPsm trainer =
        trainer(
            LINE.numbered(),
            List.of(1L),
            "enrichedCodes=0",
            "gradientSteps=1500",
            "meshRows=96",
            "meshColumns=48",
            "pairsAtOnce=16384",
            "width=64",
            "learningRate=3e-3",
            "targetRate=0.1",
            "basisDimension=2");
    for (int i = 0; i < 1500; i++) {
      trainer.step();
    }
    double[][][] exact = LINE.measure(new double[] {0.5, 0.5, 0.5, 0.5, 0.5}, DISCOUNT);
    double[] rho = LINE.entered(data.dataset());
    MeshModel model = trainer.model(1);
    double worst = 0;
    for (int state = 0; state < 5; state++) {
      for (int place = 0; place < 5; place++) {
        double[] m = model.densities(LINE.observation(state), LINE.observation(place));
        for (int action = 0; action < 2; action++) {
          double expected = (1 - DISCOUNT) * exact[state][action][place] / rho[place];
          worst = Math.max(worst, Math.abs(m[action] - expected));
        }
      }
    }
    assertTrue(worst < 0.15, "the largest difference is " + worst);
    assertEquals(1, trainer.metrics().get("mass")[0], 0.05);
  }

  /** Greedy for their own measure, enriched codes become the optimal ways to their goals. */
  @Test
  void enrichedCodesFindTheOptimum() {
    MeshPsm trainer =
        trainer(
            LINE.numbered(),
            List.of(1L),
            "enrichedCodes=16",
            "gradientSteps=1500",
            "meshRows=128",
            "meshColumns=32",
            "pairsAtOnce=16384",
            "width=64",
            "learningRate=3e-3",
            "targetRate=0.1",
            "basisDimension=8");
    for (int i = 0; i < 1500; i++) {
      trainer.step();
    }
    MeshModel model = trainer.model(1);
    for (int goal = 0; goal < 5; goal++) {
      float[] task = model.goalVectors(new float[0], model.goalFeatures(LINE.observation(goal)));
      double[][] optimal = LINE.optimal(goal, DISCOUNT);
      for (int state = 0; state < 5; state++) {
        int action = (int) model.act(LINE.observation(state), task)[0];
        assertEquals(
            Math.max(optimal[state][0], optimal[state][1]),
            optimal[state][action],
            1e-9,
            "from " + state + " to " + goal);
      }
    }
  }

  @Test
  void aMeshThatDoesNotFitIsRefusedWithItsSize() {
    UserError refusal =
        assertThrows(
            UserError.class,
            () ->
                trainer(
                    LineWorld.partial(),
                    SEEDS,
                    "meshColumns=60000",
                    "meshRows=60000",
                    "width=65536"));
    assertTrue(refusal.getMessage().contains("60000 rows and 60000 columns"), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("GiB"), refusal.getMessage());
  }

  @Test
  void settingsThatMakeNoMeshAreRefused() {
    assertThrows(UserError.class, () -> settings("meshColumns=7"));
    assertThrows(UserError.class, () -> settings("solve=lp"));
    assertThrows(UserError.class, () -> settings("layers=0"));
    assertThrows(UserError.class, () -> settings("enrichedShare=1.5"));
  }
}
