package dev.psm.agents.discrete;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.Agent;
import dev.psm.agents.training.ActionCodebook;
import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.GradientTrainer;
import dev.psm.agents.training.LazyMetrics;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.Seeds;
import dev.psm.core.env.World;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Gradients;
import dev.psm.torch.PairMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Slice;
import dev.psm.torch.Tensors;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Affine Proto Successor Measure where states are vectors (the paper's section 5, its FetchReach):
 * Φ, b and w(z) such that Φw(z) + b is the density of the successor measure of π_z for every code z
 * of a codebook, keyed by the row of a state in the data. Rewards play no part.
 *
 * <p>A step, in this order: transitions and the states that they are held against; the codes'
 * coordinates; the codes' actions in the entered states; equation 7 on the mesh of both, a few rows
 * at a time, so that memory does not grow with the mesh; the steps of all networks.
 */
public final class MeshPsm extends GradientTrainer {
  public static final Agent AGENT =
      new DiscreteAgent<>("psm", "PSM", MeshPsmSettings.class, MeshModel.Shape.class) {
        @Override
        public String summary() {
          return "Proto Successor Measure: a basis and a bias that every policy's measure lies in,"
              + " learned on meshes of sampled states";
        }

        @Override
        public Map<String, MeshPsmSettings> presets(World world) {
          return MeshPsmSettings.presets(world);
        }

        @Override
        GradientTrainer train(
            MeshPsmSettings settings, World world, Experience data, List<Long> seeds) {
          return new MeshPsm(settings, world, data, seeds);
        }

        @Override
        Map<String, long[]> tensorShapes(MeshModel.Shape shape, World world) {
          return MeshModel.tensorShapes(shape, world.observationSize(), actionCount(world));
        }

        @Override
        MeshModel load(
            MeshModel.Shape shape, World world, Map<String, TensorData> tensors, String fileName) {
          return new MeshModel(
              shape, world.observationSize(), actionCount(world), tensors, fileName);
        }
      };

  private static final Set<Draw> CODEBOOK = Set.of(Draw.ROWS, Draw.COLUMNS, Draw.CODES);
  private static final Set<Draw> ENRICHED =
      EnumSet.of(Draw.ROWS, Draw.COLUMNS, Draw.CODES, Draw.MIXED);

  private final MeshPsmSettings settings;
  private final int actions;
  private final ObservationCode code;
  private final ActionCodebook codebook;
  private final MeasureNetwork measure;
  private final CoordinateNetwork coordinates;

  /** Null where the codebook is not enriched. */
  private final EnrichedCodes enriched;

  public MeshPsm(MeshPsmSettings settings, World world, Experience data, List<Long> seeds) {
    super(data, seeds, settings.draws());
    this.settings = settings;
    this.actions = DiscreteAgent.actionCount(world);
    this.code = ObservationCode.of(data.dataset(), world.achievedGoal(), device());
    this.codebook = ActionCodebook.numbered(seeds, actions, device());
    MeasureNetwork.Layout layout =
        settings.shape(0).layout(data.observationSize(), code.enteredSize(), actions);
    new MeshMemory(settings, layout, seeds.size(), code.isPartial()).require(device());
    this.measure =
        train(
            new MeasureNetwork(
                layout,
                layout.initialise(device(), generators(MeasureNetwork.NAME)),
                settings.targetRate()));
    Parameters initial = new Parameters(device());
    settings.shape(0).coordinateShape().initialise(initial, generators(CoordinateNetwork.NAME));
    this.coordinates =
        train(
            new CoordinateNetwork(
                settings.shape(0).coordinateShape(), initial, settings.targetRate()));
    this.enriched = settings.enrichedCodes() == 0 ? null : train(enrich());
  }

  /** The most memory that a gradient step takes, as the trainer bounds it before it begins. */
  public static long stepBytes(MeshPsmSettings settings, World world, int seeds) {
    int size = world.observationSize();
    return new MeshMemory(
            settings,
            settings
                .shape(0)
                .layout(size, ObservationCode.enteredSize(size), DiscreteAgent.actionCount(world)),
            seeds,
            world.achievedGoal().length < size)
        .bytes();
  }

  /** States of the data as goals, and coordinates that begin anywhere. */
  private EnrichedCodes enrich() {
    int codes = settings.enrichedCodes();
    int d = settings.basisDimension();
    try (PointerScope scope = new PointerScope()) {
      long[] rows = new long[seeds().size() * codes];
      TensorVector drawn = new TensorVector();
      for (int seed = 0; seed < seeds().size(); seed++) {
        RandomGenerator random = Seeds.generator(Seeds.mix(seeds().get(seed), 0, "enriched"));
        for (int i = 0; i < codes; i++) {
          rows[seed * codes + i] = data().dataset().drawRow(random) + 1;
        }
        drawn.push_back(Tensors.gaussian(random, codes, d));
      }
      Tensor places = device().place(Tensors.longs(rows, seeds().size(), codes));
      Parameters goals = new Parameters(device());
      goals.add(EnrichedCodes.GOALS, code.goals(data().observations(places)));
      keep(EnrichedCodes.NAME + "_goals", goals);
      Parameters weights = new Parameters(device());
      weights.add(EnrichedCodes.COORDINATES, torch.stack(drawn, 0));
      return new EnrichedCodes(weights, goals.get(EnrichedCodes.GOALS), settings.targetRate());
    }
  }

  @Override
  protected double rate(long step) {
    double progress = Math.min(1, (double) step / settings.gradientSteps());
    return settings.decay().at(progress) * settings.learningRate();
  }

  @Override
  protected double featureRate(long step) {
    return rate(step);
  }

  @Override
  public Set<Draw> needs(long step) {
    return isEnriched(step) ? ENRICHED : CODEBOOK;
  }

  private boolean isEnriched(long step) {
    return enriched != null && step >= settings.enrichmentStart() * settings.gradientSteps();
  }

  @Override
  protected void update(StepInputs inputs, LazyMetrics metrics) {
    Experience.Batch batch = transitions(inputs);
    Columns columns = columns(data().entered(inputs.get(Draw.COLUMNS)), batch.nextObservations());
    Codes codes = new Codes(inputs);
    Tensor nextStates = code.states(batch.nextObservations());
    Tensor nextActions = codes.actions(nextStates, batch.nextRows());
    Tensor taken = batch.actions().squeeze(2).to(torch.ScalarType.Long);
    Tensor byCoordinates =
        descendOnMesh(
            code.states(batch.observations()),
            measure.layout().heads(measure.weights(), withBias(codes.w)),
            taken,
            nextStates,
            measure.layout().heads(measure.target(), withBias(codes.targetW)).of(nextActions),
            batch.discounts().mul(scalar(settings.discount())),
            columns,
            withBias(codes.w),
            metrics);
    codes.descend(byCoordinates.narrow(2, 0, settings.basisDimension()));
  }

  /**
   * Codes of the states that rows are held against.
   *
   * @param shared of all rows: seeds × columns × entered, the kinds one after the other
   * @param own of the states that rows lead to: seeds × rows·kinds × entered
   */
  private record Columns(Tensor shared, Tensor own, int kinds) {}

  private Columns columns(Tensor drawn, Tensor entered) {
    if (!code.isPartial()) {
      return new Columns(code.wholes(drawn), code.wholes(entered), 1);
    }
    long half = drawn.size(1) / 2;
    Tensor shared =
        torch.cat(
            new TensorVector(
                code.wholes(drawn.narrow(1, 0, half)), code.goals(drawn.narrow(1, half, half))),
            1);
    Tensor own = torch.stack(new TensorVector(code.wholes(entered), code.goals(entered)), 2);
    return new Columns(shared, own.view(own.size(0), -1, own.size(3)), 2);
  }

  /** The codes of a step, with their coordinates. */
  private final class Codes {
    private final Tensor numbers;
    private final Tensor bits;
    private final CoordinateNetwork.Pass pass;

    /** 1 where a code is an enriched one: seeds × rows × 1; null where none is. */
    private final Tensor mixed;

    /** Which of the enriched codes that would be. */
    private final Tensor which;

    private final Tensor w;
    private final Tensor targetW;

    Codes(StepInputs inputs) {
      numbers = inputs.get(Draw.CODES);
      bits = codebook.bits(numbers);
      pass = coordinates.pass(bits);
      boolean isMixed = inputs.has(Draw.MIXED);
      mixed = isMixed ? inputs.get(Draw.MIXED) : null;
      which = isMixed ? numbers.remainder(Tensors.whole(settings.enrichedCodes())) : null;
      Tensor hashed = coordinates.ofTarget(bits);
      w = isMixed ? torch.where(isEnriched(), enriched.of(which), pass.output()) : pass.output();
      targetW = isMixed ? torch.where(isEnriched(), enriched.ofTarget(which), hashed) : hashed;
    }

    private Tensor isEnriched() {
      return mixed.gt(scalar(0));
    }

    /** π_z(s′): the codebook's, or the greedy one for the code's own goal. Seeds × rows. */
    Tensor actions(Tensor nextStates, Tensor nextRows) {
      Tensor random = codebook.actions(numbers, nextRows).squeeze(2).to(torch.ScalarType.Long);
      if (mixed == null) {
        return random;
      }
      MeasureNetwork.Layout layout = measure.layout();
      Tensor left = layout.left(measure.target(), nextStates);
      Tensor goals =
          EnrichedCodes.gathered(layout.right(measure.target(), enriched.goals()), which);
      Tensor hidden =
          layout.hidden(measure.target(), new PairMlp.Mesh(left, null, goals.unsqueeze(2)));
      Tensor greedy =
          layout
              .heads(measure.target(), withBias(targetW))
              .measures(hidden)
              .argmax(new LongOptional(2), false);
      return torch.where(isEnriched().squeeze(2), greedy, random);
    }

    /**
     * @param gradient by w: seeds × rows × d
     */
    void descend(Tensor gradient) {
      if (mixed == null) {
        coordinates.descend(pass, gradient, rate);
        return;
      }
      Tensor ofEnriched = gradient.mul(mixed);
      coordinates.descend(pass, gradient.sub(ofEnriched), rate);
      enriched.descend(which, ofEnriched, rate);
    }
  }

  /**
   * A step of Φ and b on equation 7, a few rows of the mesh at a time.
   *
   * @return the gradient by the rows' coordinates
   */
  private Tensor descendOnMesh(
      Tensor states,
      MeasureNetwork.Heads allHeads,
      Tensor taken,
      Tensor nextStates,
      MeasureNetwork.Chosen nextHeads,
      Tensor discounts,
      Columns columns,
      Tensor rowCoordinates,
      LazyMetrics metrics) {
    MeasureNetwork.Layout layout = measure.layout();
    MeasureNetwork.Chosen heads = allHeads.of(taken);
    long seeds = states.size(0);
    long rows = states.size(1);
    long shared = columns.shared.size(1);
    Tensor left = layout.left(measure.weights(), states);
    Tensor right = layout.right(measure.weights(), columns.shared);
    Tensor own =
        layout
            .right(measure.weights(), columns.own)
            .view(seeds, rows, columns.kinds, layout.width());
    Tensor nextLeft = layout.left(measure.target(), nextStates);
    Tensor nextRight = layout.right(measure.target(), columns.shared);
    MeasureNetwork.Chosen byHeads =
        new MeasureNetwork.Chosen(
            torch.empty_like(heads.vectors()), torch.empty_like(heads.constants()));
    Tensor byLeft = torch.empty_like(left);
    Tensor byOwn = torch.empty_like(own);
    Tensor byRight = torch.zeros_like(right);
    Gradients gradients = Gradients.zeros(measure.weights());
    long kinds = columns.kinds;
    Tensor m = torch.zeros(new long[] {seeds, rows, shared + kinds}, device().floats());
    Tensor bootstrap = torch.zeros(new long[] {seeds, rows, shared}, device().floats());
    MeshLoss whole =
        new MeshLoss(
            m.narrow(2, 0, shared),
            m.narrow(2, shared, kinds),
            bootstrap,
            settings.discount(),
            settings.massWeight());
    long atOnce = settings.rowsAtOnce(columns.kinds);
    for (long from = 0; from < rows; from += atOnce) {
      long count = Math.min(atOnce, rows - from);
      // Activations of these rows are freed before the next ones'.
      try (PointerScope scope = new PointerScope()) {
        MeshLoss loss = whole.rows(from, count);
        loss.bootstrap()
            .copy_(
                nextHeads
                    .rows(from, count)
                    .measures(
                        layout.hidden(
                            measure.target(),
                            new PairMlp.Mesh(nextLeft.narrow(1, from, count), nextRight, null)))
                    .mul_(discounts.narrow(1, from, count)));
        PairMlp.Trace pass =
            measure.pass(
                new PairMlp.Mesh(left.narrow(1, from, count), right, own.narrow(1, from, count)));
        MeasureNetwork.Chosen ownHeads = heads.rows(from, count);
        m.narrow(1, from, count).copy_(ownHeads.measures(pass.output()));
        Gradients part = new Gradients();
        PairMlp.MeshGradients by =
            measure.backward(pass, ownHeads, loss.gradient(rows), byHeads.rows(from, count), part);
        byLeft.narrow(1, from, count).copy_(by.left());
        byOwn.narrow(1, from, count).copy_(by.own());
        byRight.add_(by.right());
        gradients.addAll(part);
      }
    }
    whole.log(metrics);
    measure.backwardLeft(states, byLeft, gradients);
    measure.backwardRight(columns.shared, byRight, gradients);
    measure.backwardRight(columns.own, byOwn.view(seeds, -1, layout.width()), gradients);
    Tensor byCoordinates = measure.backwardHeads(taken, rowCoordinates, byHeads, gradients);
    measure.step(gradients, rate);
    return byCoordinates;
  }

  /** [w, 1]. */
  private static Tensor withBias(Tensor w) {
    return torch.cat(new TensorVector(w, torch.ones_like(w.narrow(2, 0, 1))), 2);
  }

  /** The coordinates' rank says how many dimensions the codes use. */
  @Override
  protected void measure(Tensor rows, Map<String, double[]> metrics) {
    Tensor codes = rows.remainder(Tensors.whole(ActionCodebook.CODE_COUNT));
    measureFeatures(coordinates.pass(codebook.bits(codes)).output(), metrics);
  }

  @Override
  public MeshModel model(long seed) {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    Slice slice = slice(seed);
    code.export(tensors);
    measure.weights().export("", tensors, slice);
    coordinates.weights().export("", tensors, slice);
    if (enriched != null) {
      enriched.weights().export("", tensors, slice);
    }
    tensors.put(MeshModel.STATES, solveStates(seed));
    return new MeshModel(
        settings.shape(seed), data().observationSize(), actions, tensors, "the trainer");
  }

  /** States of the data, over which solving averages. */
  private TensorData solveStates(long seed) {
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, 0, "solve states"));
    long[] rows = new long[settings.solveStates()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = data().dataset().drawRow(random);
    }
    float[] observations = new float[rows.length * data().observationSize()];
    data().dataset().gatherObservations(rows, observations);
    return TensorData.of(observations, rows.length, data().observationSize());
  }

  @Override
  public void close() {
    super.close();
    code.close();
    codebook.close();
  }
}
