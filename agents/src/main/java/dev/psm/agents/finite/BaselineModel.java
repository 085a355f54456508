package dev.psm.agents.finite;

import dev.psm.agents.finite.BaselineSettings.Observation;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.core.reward.CanonicalReward;
import dev.psm.core.settings.Limits;
import dev.psm.torch.Mlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * What both baselines leave behind: features of states and a forward network over (s, z). They
 * differ in how a reward becomes the task vector z.
 */
public abstract class BaselineModel extends FiniteModel {
  private static final String FORWARD = "forward.";

  private final Shape shape;
  private final TransitionTable data;
  private final Tensor observations;
  private final ForwardNetwork forward;
  private final Mlp features;
  private final Parameters forwardParameters;
  private final Parameters featureParameters;

  /** What a model is, whatever trained it. */
  public record Shape(
      double discount,
      Observation observation,
      int featureDimension,
      int forwardWidth,
      int featureWidth) {
    public Shape {
      Limits.requireDiscount("discount", discount);
      Limits.requireSize(1, "featureDimension", featureDimension);
      Limits.requireSize(1, "forwardWidth", forwardWidth);
      Limits.requireSize(1, "featureWidth", featureWidth);
    }
  }

  /** The seed decides the initial values. */
  protected BaselineModel(Shape shape, TransitionTable data, long seed) {
    super(data);
    this.shape = shape;
    this.data = shape.observation() == Observation.ONE_HOT ? data.withOneHotObservations() : data;
    int size = this.data.observations()[0].length;
    this.observations =
        Tensors.floats(this.data.flatObservations(), data.stateCount(), size).retainReference();
    RandomGenerator random = Seeds.generator(seed);
    this.forward = forward(shape, size, data.actionCount());
    this.features = features(shape, size);
    this.forwardParameters = forward.initialise(random);
    this.featureParameters = new Parameters();
    features.initialise(featureParameters, random);
  }

  private static ForwardNetwork forward(Shape shape, int size, int actionCount) {
    return new ForwardNetwork(size, actionCount, shape.featureDimension(), shape.forwardWidth());
  }

  private static Mlp features(Shape shape, int size) {
    int width = shape.featureWidth();
    return new Mlp(
        "features", new int[] {size, width, width, shape.featureDimension()}, true, false);
  }

  /** The shapes of the {@link #tensors} of a model that need not exist. */
  public static Map<String, long[]> tensorShapes(Shape shape, TransitionTable data) {
    int size =
        shape.observation() == Observation.ONE_HOT
            ? data.stateCount()
            : data.observations()[0].length;
    Map<String, long[]> shapes = new LinkedHashMap<>(features(shape, size).shapes());
    forward(shape, size, data.actionCount())
        .shapes()
        .forEach((name, sizes) -> shapes.put(FORWARD + name, sizes));
    return shapes;
  }

  @Override
  public Shape shape() {
    return shape;
  }

  public TransitionTable data() {
    return data;
  }

  /** What the networks see of states, given by index. */
  public Tensor observe(Tensor states) {
    return observations.index_select(0, states);
  }

  public ForwardNetwork forward() {
    return forward;
  }

  public Parameters forwardParameters() {
    return forwardParameters;
  }

  public Parameters featureParameters() {
    return featureParameters;
  }

  /** Features on the √d sphere, of states given by index: rows × d. */
  public Tensor features(Parameters parameters, Tensor states) {
    return Tensors.onSphere(features.forward(parameters, observe(states)));
  }

  /** Features of every state: states × d. */
  protected Tensor allFeatures() {
    return Tensors.onSphere(features.forward(featureParameters, observations));
  }

  /**
   * Task vectors of rewards.
   *
   * @param rewards prompts × states
   * @param rho the data's distribution of s⁺
   * @return prompts × d, on the √d sphere
   */
  protected abstract Tensor taskVectors(Tensor rewards, Tensor rho);

  @Override
  public double[][][] actionValues(double[][] rewards) {
    List<CanonicalReward> canonical = CanonicalReward.ofAll(rewards, data.stateCount());
    double[][][] q = new double[rewards.length][][];
    if (rewards.length == 0) {
      return q;
    }
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      long states = data.stateCount();
      Tensor rho = Tensors.floats(data.nextStateDistribution(), states);
      Tensor z = taskVectors(Tensors.matrix(CanonicalReward.values(canonical)), rho);
      for (int prompt = 0; prompt < rewards.length; prompt++) {
        Tensor rows = z.narrow(0, prompt, 1).expand(states, shape.featureDimension());
        float[] flat =
            Tensors.toFloats(
                ForwardNetwork.pessimisticQ(
                    forward.forward(forwardParameters, observations, rows), rows));
        q[prompt] = new double[data.stateCount()][data.actionCount()];
        for (int i = 0; i < flat.length; i++) {
          q[prompt][i / data.actionCount()][i % data.actionCount()] = flat[i];
        }
      }
    }
    return finite(q);
  }

  /** The same for every pair: features of states. */
  @Override
  public final double[][] basis(int pair) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      return rows(allFeatures().t());
    }
  }

  /**
   * What the forward vector's inner products with features of s⁺ give its density: states × d.
   *
   * @param rho the data's distribution of s⁺
   */
  protected abstract Tensor densityFeatures(Tensor rho);

  /** By the less optimistic head, which the policy follows. */
  @Override
  public final LearnedMeasure measure(int pair, double[] reward) {
    double[] canonical = CanonicalReward.of(reward).values();
    int[] policy = greedy(actionValues(new double[][] {reward})[0]);
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Tensor rho = Tensors.floats(data.nextStateDistribution(), data.stateCount());
      Tensor z = taskVectors(Tensors.matrix(new double[][] {canonical}), rho);
      Tensor state = observations.narrow(0, pair / data.actionCount(), 1);
      Tensor vector = null;
      double least = Double.POSITIVE_INFINITY;
      for (Tensor head : forward.forward(forwardParameters, state, z)) {
        Tensor own = head.select(0, 0).select(0, pair % data.actionCount());
        double q = own.dot(z.select(0, 0)).item_double();
        if (vector == null || q < least) {
          vector = own;
          least = q;
        }
      }
      Tensor density =
          densityFeatures(rho).matmul(vector).mul(Tensors.scalar(1 - shape.discount()));
      return new LearnedMeasure(rows(density.mul(rho).unsqueeze(0))[0], policy);
    }
  }

  /** How many of the d features are really in use. */
  public double effectiveRank() {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      return Tensors.effectiveRank(allFeatures());
    }
  }

  @Override
  public Map<String, TensorData> tensors() {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    forwardParameters.export(FORWARD, tensors);
    featureParameters.export("", tensors);
    return tensors;
  }

  @Override
  public void load(Map<String, TensorData> tensors, String fileName) {
    forwardParameters.load(FORWARD, tensors, fileName);
    featureParameters.load("", tensors, fileName);
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      // Finite weights may still overflow.
      if (!Tensors.isFinite(allFeatures())) {
        throw UserError.invalid(
            "%s: the features are not finite numbers, so no reward can be solved: the file is"
                + " damaged, or training diverged; train the model again",
            fileName);
      }
    }
  }

  @Override
  public void close() {
    forwardParameters.close();
    featureParameters.close();
    observations.close();
  }
}
