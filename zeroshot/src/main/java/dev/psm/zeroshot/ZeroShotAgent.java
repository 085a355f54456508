package dev.psm.zeroshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agents;
import dev.psm.agents.Model;
import dev.psm.agents.SolveMethod;
import dev.psm.core.UserError;
import dev.psm.core.env.ActionScaling;
import dev.psm.core.env.CheckedEnvironment;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.io.TensorData;
import dev.psm.core.reward.Task;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A pretrained agent that takes any reward and acts:
 *
 * <pre>{@code
 * try (ZeroShotAgent agent = ZeroShotAgent.load(Path.of("runs/walker"))) {
 *   ZeroShotPolicy policy = agent.solve("upright * clip(velocity_x / 4, 0, 1)");
 *   float[] action = policy.act(observation);
 * }
 * }</pre>
 *
 * <p>On disk it is two files: {@code model.json} says what it is and where it comes from, {@code
 * model.safetensors} holds the networks and the {@link InferenceSample}. The first has the hash of
 * the second, so that two of different saves are not taken for one agent. Of an exported agent the
 * second may be rounded to half precision and split into several.
 *
 * <p>Any number of threads may ask one agent and act by its policies at the same time. {@link
 * #close} frees the networks now rather than when nobody knows the agent any more; it waits for
 * whoever is computing, and afterwards the agent and its policies refuse to work.
 */
public final class ZeroShotAgent implements AutoCloseable {
  /** The file that says what an agent is; written last. */
  public static final String DESCRIPTION = "model.json";

  private final String name;
  private final ModelLease model;
  private final World world;
  private final InferenceSample sample;
  private final ObjectNode description;
  private final PromptFeatures features;
  private final GoalSolving goals;

  /**
   * @param name the agent's id
   */
  public ZeroShotAgent(String name, Model model, World world, InferenceSample sample) {
    this(name, model, world, sample, Json.object());
  }

  ZeroShotAgent(
      String name, Model model, World world, InferenceSample sample, ObjectNode description) {
    this(name, new ModelLease(Objects.requireNonNull(model, "model")), world, sample, description);
  }

  private ZeroShotAgent(
      String name, ModelLease model, World world, InferenceSample sample, ObjectNode description) {
    this(name, model, world, sample, description, new PromptFeatures(model, world, sample));
  }

  private ZeroShotAgent(
      String name,
      ModelLease model,
      World world,
      InferenceSample sample,
      ObjectNode description,
      PromptFeatures features) {
    this.name = Objects.requireNonNull(name, "name");
    this.model = model;
    this.world = Objects.requireNonNull(world, "world");
    this.sample = Objects.requireNonNull(sample, "sample");
    this.description = description;
    this.features = features;
    this.goals = new GoalSolving(model, world, features);
  }

  /**
   * Reads what {@link #save} wrote: from an agent's own folder, or from a run's, of which the
   * lowest seed is taken. A missing, damaged or foreign file is refused by name.
   */
  public static ZeroShotAgent load(Path folder) {
    return read(AgentFolder.open(folder).agent());
  }

  /** Reads the agent of one of a run's seeds. */
  public static ZeroShotAgent load(Path folder, long seed) {
    return read(AgentFolder.open(folder).agent(seed));
  }

  /** Reads an agent's own folder. */
  public static ZeroShotAgent read(Path folder) {
    return StoredAgent.read(folder);
  }

  /**
   * Reads an agent's own folder once: empty where its files are not of the same save, which {@link
   * #load} takes for a save that is under way, and waits for.
   */
  public static Optional<ZeroShotAgent> loadNow(Path folder) {
    return StoredAgent.readNow(folder);
  }

  /** The policy for a task of the environment by its name, or for a formula. */
  public ZeroShotPolicy solve(String taskOrFormula) {
    return solve(world.taskOrFormula(Objects.requireNonNull(taskOrFormula, "taskOrFormula")));
  }

  public ZeroShotPolicy solve(Task task) {
    Objects.requireNonNull(task, "task");
    if (takesEpisodeGoals() && world.concernsEpisodeGoal(task)) {
      throw UserError.invalid(
          "'%s' speaks of the goal that each episode draws for itself, so the states of the data do"
              + " not tell what it pays; give the goal itself",
          task.name());
    }
    double[] rewards = rewards(task);
    float[] phi = sampleFeatures();
    float[] vector = model.use(m -> m.taskVector(phi, rewards));
    return ZeroShotPolicy.pursuing(model, world, vector);
  }

  /**
   * The policy that goes to a state and stays there.
   *
   * @param goal an observation, or those of its numbers that goals speak of: see {@link
   *     World#achievedGoal}
   */
  public ZeroShotPolicy solveGoal(float[] goal) {
    return goals.one(goal);
  }

  /**
   * The policies that go to many goals, all solved at once: from an observation for each goal, row
   * by row, to the actions, in [−1, 1] or numbered. Observations that are not one per goal or not
   * finite are refused, as by {@link ZeroShotPolicy#actUnscaled}.
   *
   * @param goals goals × those of an observation's numbers that goals speak of
   */
  public UnaryOperator<float[]> solveGoals(float[] goals) {
    return this.goals.many(goals);
  }

  /**
   * The policy that follows a demonstration: at every step towards the mean features of the states
   * that come next.
   *
   * @param observations states × observation, in their order
   * @param window how many states ahead
   */
  public ZeroShotPolicy track(float[] observations, int window) {
    return goals.following(observations, window);
  }

  /**
   * The policy for a reward that is known in some states.
   *
   * @param observations states × observation
   * @param rewards one per state
   */
  public ZeroShotPolicy solveSamples(float[] observations, double[] rewards) {
    Objects.requireNonNull(observations, "observations");
    Objects.requireNonNull(rewards, "rewards");
    features.requireRows(observations, rewards.length);
    for (int i = 0; i < rewards.length; i++) {
      if (!Double.isFinite(rewards[i])) {
        throw UserError.invalid(
            "the reward of sample %d (from 0) is %s, not finite", i, rewards[i]);
      }
    }
    float[] phi = features.of(observations);
    float[] vector = model.use(m -> m.taskVector(phi, rewards));
    return ZeroShotPolicy.pursuing(model, world, vector);
  }

  /** The policy for a task vector, such as was found from more data than the {@link #sample}. */
  public ZeroShotPolicy solveVector(float[] vector) {
    Objects.requireNonNull(vector, "vector");
    if (!hasTaskVectors()) {
      throw UserError.invalid("tasks of %s are no vectors, so none can be given", title());
    }
    if (vector.length != model.get().taskSize()) {
      throw UserError.invalid(
          "a task vector of this agent has %d numbers, found %d; it is another agent's",
          model.get().taskSize(), vector.length);
    }
    int wrong = model.get().firstNotTaken(vector);
    if (wrong >= 0) {
      throw UserError.invalid(
          "number %d (from 0) of the task vector is %s, which the networks cannot take",
          wrong, vector[wrong]);
    }
    return ZeroShotPolicy.pursuing(model, world, vector.clone());
  }

  /**
   * The same agent, which answers prompts by another of its {@link Model#methods}; refused where
   * the model has no such choice. It is closed with this one.
   */
  public ZeroShotAgent solvingBy(SolveMethod method) {
    Objects.requireNonNull(method, "method");
    if (model.get().methods().isEmpty()) {
      throw UserError.argument(
          "method", "this model is %s, which has only one way of solving", name);
    }
    if (!model.get().methods().contains(method)) {
      throw UserError.argument(
          "method",
          "expected one of %s for this model, found %s",
          model.get().methods().stream().map(SolveMethod::id).collect(Collectors.joining(", ")),
          method.id());
    }
    ModelLease view = model.of(model.get().solvingBy(method));
    return new ZeroShotAgent(name, view, world, sample, description, features);
  }

  /** Computes what every prompt needs now, so that the first one does not wait for it. */
  public void prepare() {
    sampleFeatures();
  }

  /**
   * The actions of given tasks, in the world's {@link World#actionUnits}: for whoever keeps {@link
   * ZeroShotPolicy#taskVector task vectors} himself.
   *
   * @param observations count × observation
   * @param tasks one for each: count × task
   */
  public float[] act(float[] observations, float[] tasks) {
    int count = ZeroShotPolicy.requireRows(observations, model.get().observationSize());
    Objects.requireNonNull(tasks, "tasks");
    if (tasks.length != (long) count * model.get().taskSize()) {
      throw new IllegalArgumentException(
          "%d observations have a task of %d numbers each, found %d numbers"
              .formatted(count, model.get().taskSize(), tasks.length));
    }
    ZeroShotPolicy.requireTaken("observations", observations, model.get());
    ZeroShotPolicy.requireTaken("tasks", tasks, model.get());
    float[] actions = model.use(m -> m.act(observations, tasks));
    ZeroShotPolicy.requireFinite("actions", actions);
    return ActionScaling.of(world).map(scaling -> scaling.toUnits(actions)).orElse(actions);
  }

  public String name() {
    return name;
  }

  /** The agent's name as in tables. */
  public String title() {
    return Agents.named(name, world).title();
  }

  /** Where it can act. */
  public World environment() {
    return world;
  }

  /** Refuses in words where this machine has no environment to play in. */
  public void requireEnvironment() {
    CheckedEnvironment.open(world).close();
  }

  /** Its networks, for work on many states at once; not to be used after {@link #close}. */
  public Model model() {
    return model.get();
  }

  /** The states in which rewards are read. */
  public InferenceSample sample() {
    return sample;
  }

  /** What its file says of it, of the same save as its tensors; empty where it has none. */
  public ObjectNode description() {
    return description.deepCopy();
  }

  /**
   * What tells its stored tensors from all others: the same for a copy of its files, another after
   * more training, for another seed, and for an export that rounds. Empty where it has no files.
   */
  public String fingerprint() {
    return AgentTensors.fingerprint(description);
  }

  /** Whether the goals that the world's episodes draw are goals of this agent. */
  public boolean takesEpisodeGoals() {
    return world
        .episodeGoal()
        .filter(goal -> goal.place().size() == model.get().goalSize())
        .isPresent();
  }

  /** Which numbers of an observation goals of this agent speak of. */
  public int[] goalColumns() {
    return model.get().goalColumns();
  }

  /**
   * Whether a task is a vector in the space of features. The tasks of other models hold what the
   * model needs to act, which means nothing elsewhere.
   */
  public boolean hasTaskVectors() {
    return model.get().taskSize() == model.get().featureDimension();
  }

  /** What a task pays in the states of the {@link #sample}; no physics engine is needed. */
  public double[] rewards(Task task) {
    Objects.requireNonNull(task, "task");
    return sample
        .quantities()
        .orElseThrow(
            () ->
                UserError.invalid(
                    "this model was learned from data without physics, so no reward can be"
                        + " computed in it; give labelled samples, a goal or a demonstration"))
        .rewards(task);
  }

  /**
   * In words, how a goal lies far from everything that was learned from: further beyond the states
   * of the {@link #sample} than a quarter of their range. Empty where it does not.
   *
   * @param goal as for {@link #solveGoal}
   */
  public Optional<String> outsideData(float[] goal) {
    goals.requireGoal(goal);
    return features.outsideData(goal);
  }

  /**
   * φ of observations, one after the other, which may be anything that a user can write down: count
   * × features.
   */
  public float[] features(float[] observations) {
    Objects.requireNonNull(observations, "observations");
    features.requireRows(observations, observations.length / world.observationSize());
    return features.of(observations);
  }

  /** φ of the {@link #sample}, not a copy: computed once, since every reward needs it. */
  public float[] sampleFeatures() {
    return features.ofSample();
  }

  /** Whether there is an agent's description in this very folder. */
  public static boolean isIn(Path folder) {
    return StoredAgent.isIn(folder);
  }

  /**
   * Writes the agent into a folder.
   *
   * @param about what else to say of it, such as where it comes from
   */
  public void save(Path folder, ObjectNode about) {
    save(folder, about, tensors(), Long.MAX_VALUE);
  }

  /**
   * Writes the agent into a folder, with tensors that may be rounded ones of its own.
   *
   * @param maxBytes of a file of tensors
   */
  public void save(Path folder, ObjectNode about, Map<String, TensorData> tensors, long maxBytes) {
    StoredAgent.write(this, folder, about, tensors, maxBytes);
  }

  /** Everything that {@link #save} writes, by name. */
  public Map<String, TensorData> tensors() {
    Map<String, TensorData> tensors = new LinkedHashMap<>(model.use(Model::tensors));
    tensors.putAll(sample.tensors(world));
    return tensors;
  }

  /** Of a description that was read, what {@link #save} takes as said about the agent. */
  public static ObjectNode about(ObjectNode description) {
    return description.deepCopy().remove(ModelFormat.KEYS).remove(AgentTensors.KEYS);
  }

  @Override
  public void close() {
    model.close();
  }
}
