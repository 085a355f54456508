package dev.psm.zeroshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agents;
import dev.psm.agents.Model;
import dev.psm.agents.SolveMethod;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.ActionScaling;
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
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

  /** As long as a trainer may take from one of the files to the other. */
  private static final long BETWEEN_FILES_MILLIS = 500;

  private final String name;
  private final ModelLease model;
  private final World world;
  private final InferenceSample sample;
  private final ObjectNode description;
  private float[] sampleFeatures;

  /**
   * @param name the agent's id
   */
  public ZeroShotAgent(String name, Model model, World world, InferenceSample sample) {
    this(name, model, world, sample, Json.object());
  }

  private ZeroShotAgent(
      String name, Model model, World world, InferenceSample sample, ObjectNode description) {
    this(name, new ModelLease(model), world, sample, description);
  }

  private ZeroShotAgent(
      String name, ModelLease model, World world, InferenceSample sample, ObjectNode description) {
    this.name = name;
    this.model = model;
    this.world = world;
    this.sample = sample;
    this.description = description;
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
    world.open().close();
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

  /**
   * The same agent, which answers prompts by another of its {@link Model#methods}; refused where
   * the model has no such choice. It is closed with this one.
   */
  public ZeroShotAgent solvingBy(SolveMethod method) {
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
    ZeroShotAgent other =
        new ZeroShotAgent(
            name, model.of(model.get().solvingBy(method)), world, sample, description);
    synchronized (this) {
      other.sampleFeatures = sampleFeatures;
    }
    return other;
  }

  /**
   * The actions of given tasks, in the world's {@link World#actionUnits}: for whoever keeps {@link
   * ZeroShotPolicy#taskVector task vectors} himself.
   *
   * @param observations count × observation
   * @param tasks one for each: count × task
   */
  public float[] act(float[] observations, float[] tasks) {
    int count = observations.length / model.get().observationSize();
    requireRows(observations, count);
    if (tasks.length != count * model.get().taskSize()) {
      throw UserError.invalid(
          "%d observations have a task of %d numbers each, found %d numbers",
          count, model.get().taskSize(), tasks.length);
    }
    ZeroShotPolicy.requireFinite("observations", observations);
    ZeroShotPolicy.requireFinite("tasks", tasks);
    float[] actions = model.use(m -> m.act(observations, tasks));
    ZeroShotPolicy.requireFinite("actions", actions);
    return ActionScaling.of(world).map(scaling -> scaling.toUnits(actions)).orElse(actions);
  }

  /** Computes what every prompt needs now, so that the first one does not wait for it. */
  public void prepare() {
    sampleFeatures();
  }

  /** The policy for a task of the environment by its name, or for a formula. */
  public ZeroShotPolicy solve(String taskOrFormula) {
    return solve(world.taskOrFormula(taskOrFormula));
  }

  public ZeroShotPolicy solve(Task task) {
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

  /** What a task pays in the states of the {@link #sample}; no physics engine is needed. */
  public double[] rewards(Task task) {
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
   * The policy for a reward that is known in some states.
   *
   * @param observations states × observation
   * @param rewards one per state
   */
  public ZeroShotPolicy solveSamples(float[] observations, double[] rewards) {
    requireRows(observations, rewards.length);
    for (int i = 0; i < rewards.length; i++) {
      if (!Double.isFinite(rewards[i])) {
        throw UserError.invalid(
            "the reward of sample %d (from 0) is %s, not finite", i, rewards[i]);
      }
    }
    float[] phi = features(observations);
    float[] vector = model.use(m -> m.taskVector(phi, rewards));
    return ZeroShotPolicy.pursuing(model, world, vector);
  }

  /** The policy for a task vector, such as was found from more data than the {@link #sample}. */
  public ZeroShotPolicy solveVector(float[] vector) {
    if (!hasTaskVectors()) {
      throw UserError.invalid("tasks of %s are no vectors, so none can be given", title());
    }
    if (vector.length != model.get().taskSize()) {
      throw UserError.invalid(
          "a task vector of this agent has %d numbers, found %d; it is another agent's",
          model.get().taskSize(), vector.length);
    }
    ZeroShotPolicy.requireFinite("task vector", vector);
    return ZeroShotPolicy.pursuing(model, world, vector.clone());
  }

  /**
   * The policy that goes to a state and stays there.
   *
   * @param goal an observation, or those of its numbers that goals speak of: see {@link
   *     World#achievedGoal}
   */
  public ZeroShotPolicy solveGoal(float[] goal) {
    if (goal.length != model.get().goalSize()) {
      requireGoal(goal);
      requireFinite(goal, IntStream.range(0, goal.length).toArray());
      return reaching(goalFeatures(model.use(m -> m.achieved(goal))));
    }
    return reaching(goalFeatures(goal));
  }

  /**
   * In words, how a goal lies far from everything that was learned from: further beyond the states
   * of the {@link #sample} than a quarter of their range. Empty where it does not.
   *
   * @param goal as for {@link #solveGoal}
   */
  public Optional<String> outsideData(float[] goal) {
    int[] columns = goalColumns();
    for (int i = 0; i < columns.length; i++) {
      float wanted = goal[goal.length == columns.length ? i : columns[i]];
      DoubleSummaryStatistics known = sample.range(columns[i], world.observationSize());
      double beyond = Math.max(known.getMin() - wanted, wanted - known.getMax());
      if (beyond > (known.getMax() - known.getMin()) / 4) {
        return Optional.of(
            Wording.format(
                "the goal lies far outside the data: its number %d is %.4g, and what was learned from"
                    + " has %.4g to %.4g there; nothing is known of such states",
                i + 1, wanted, known.getMin(), known.getMax()));
      }
    }
    return Optional.empty();
  }

  /**
   * The policies that go to many goals, all solved at once: from an observation for each goal, row
   * by row, to the actions, in [−1, 1] or numbered. Observations that are not one per goal or not
   * finite are refused, as by {@link ZeroShotPolicy#actUnscaled}.
   *
   * @param goals goals × those of an observation's numbers that goals speak of
   */
  public UnaryOperator<float[]> solveGoals(float[] goals) {
    int size = model.get().goalSize();
    if (goals.length == 0 || goals.length % size != 0) {
      throw UserError.invalid(
          "a goal of %s has %s; expected some goals, found %d numbers",
          world.name(), Wording.count(size, "number"), goals.length);
    }
    int count = goals.length / size;
    float[] phi = goalFeatures(goals);
    if (model.get().goalsAreDirections()) {
      return checked(
          count,
          observations -> model.use(m -> m.act(observations, directions(m, phi, observations))));
    }
    float[] sampled = sampleFeatures();
    float[] tasks = model.use(m -> m.goalVectors(sampled, phi));
    return checked(count, observations -> model.use(m -> m.act(observations, tasks)));
  }

  private UnaryOperator<float[]> checked(int goals, UnaryOperator<float[]> policy) {
    int numbers = goals * model.get().observationSize();
    return observations -> {
      if (observations.length != numbers) {
        throw new IllegalArgumentException(
            "observations of %d goals have %d numbers, found %d"
                .formatted(goals, numbers, observations.length));
      }
      ZeroShotPolicy.requireFinite("observations", observations);
      float[] actions = policy.apply(observations);
      ZeroShotPolicy.requireFinite("actions", actions);
      return actions;
    };
  }

  private static float[] directions(Model model, float[] goals, float[] observations) {
    int d = model.featureDimension();
    int width = model.observationSize();
    int count = observations.length / width;
    float[] tasks = new float[count * model.taskSize()];
    for (int row = 0; row < count; row++) {
      float[] one =
          model.direction(
              Arrays.copyOfRange(goals, row * d, (row + 1) * d),
              Arrays.copyOfRange(observations, row * width, (row + 1) * width));
      System.arraycopy(one, 0, tasks, row * one.length, one.length);
    }
    return tasks;
  }

  /**
   * The policy that follows a demonstration: at every step towards the mean features of the states
   * that come next.
   *
   * @param observations states × observation, in their order
   * @param window how many states ahead
   */
  public ZeroShotPolicy track(float[] observations, int window) {
    int count = observations.length / world.observationSize();
    requireRows(observations, count);
    if (count < 2 || window < 1) {
      throw UserError.invalid(
          "a demonstration needs at least 2 states and a window of at least 1, found %d and %d",
          count, window);
    }
    float[] phi = goalFeatures(model.use(m -> m.achieved(observations)));
    int d = model.get().featureDimension();
    int steps = count - 1;
    float[] ahead = new float[steps * d];
    for (int step = 0; step < steps; step++) {
      int end = (int) Math.min(count, step + 1L + window);
      for (int state = step + 1; state < end; state++) {
        for (int i = 0; i < d; i++) {
          ahead[step * d + i] += phi[state * d + i] / (end - step - 1);
        }
      }
    }
    return reaching(ahead);
  }

  /** The policy for states that are to be reached one after the other: features, states × d. */
  private ZeroShotPolicy reaching(float[] goals) {
    // All at once, since the least-squares methods solve one system for them.
    boolean directions = model.get().goalsAreDirections();
    float[] vectors = goals;
    if (!directions) {
      float[] phi = sampleFeatures();
      vectors = model.use(m -> m.goalVectors(phi, goals));
    }
    int size = directions ? model.get().featureDimension() : model.get().taskSize();
    float[][] tasks = new float[vectors.length / size][];
    for (int step = 0; step < tasks.length; step++) {
      tasks[step] = Arrays.copyOfRange(vectors, step * size, (step + 1) * size);
    }
    return directions
        ? ZeroShotPolicy.towards(model, world, tasks)
        : ZeroShotPolicy.pursuing(model, world, tasks);
  }

  /**
   * φ of observations, one after the other, which may be anything that a user can write down: count
   * × features.
   */
  public float[] features(float[] observations) {
    int[] all = IntStream.range(0, world.observationSize()).toArray();
    return finite(model.use(m -> m.features(observations)), observations, all);
  }

  private float[] goalFeatures(float[] goals) {
    int[] columns = goalColumns();
    requireFinite(goals, columns);
    return finite(model.use(m -> m.goalFeatures(goals)), goals, columns);
  }

  /** Some models take any number for one of few codes, so their features would not tell. */
  private void requireFinite(float[] goals, int[] columns) {
    for (int i = 0; i < goals.length; i++) {
      if (!Float.isFinite(goals[i])) {
        throw beyond(goals, i / columns.length, columns);
      }
    }
  }

  /**
   * @param columns which numbers of an observation a prompt's rows consist of
   */
  private float[] finite(float[] phi, float[] prompt, int[] columns) {
    int d = model.get().featureDimension();
    for (int i = 0; i < phi.length; i++) {
      if (!Float.isFinite(phi[i])) {
        throw beyond(prompt, i / d, columns);
      }
    }
    return phi;
  }

  /** Names the largest number of a row; a NaN counts as such. */
  private UserError beyond(float[] prompt, int row, int[] columns) {
    int width = columns.length;
    int worst = 0;
    for (int i = 1; i < width; i++) {
      float found = Math.abs(prompt[row * width + i]);
      // For compare a NaN is the largest of all.
      if (Float.compare(found, Math.abs(prompt[row * width + worst])) > 0) {
        worst = i;
      }
    }
    DoubleSummaryStatistics known = sample.range(columns[worst], world.observationSize());
    return UserError.invalid(
        "number %d of observation %d (both from 0) is %s, which the agent's networks cannot take;"
            + " in its data that number is between %.4g and %.4g",
        worst, row, prompt[row * width + worst], known.getMin(), known.getMax());
  }

  /** φ of the {@link #sample}, not a copy: computed once, since every reward needs it. */
  public synchronized float[] sampleFeatures() {
    if (sampleFeatures == null) {
      sampleFeatures = model.use(m -> m.features(sample.observations()));
    }
    return sampleFeatures;
  }

  private void requireGoal(float[] goal) {
    int size = model.get().goalSize();
    int whole = world.observationSize();
    if (goal.length != whole) {
      throw UserError.invalid(
          "expected %s, found %s",
          size == whole
              ? "an observation of %s as the goal, %d numbers".formatted(world.name(), whole)
              : "a goal of %s, %d numbers, or an observation, %d"
                  .formatted(world.name(), size, whole),
          Wording.count(goal.length, "number"));
    }
  }

  private void requireRows(float[] observations, int rows) {
    if (rows < 1) {
      throw UserError.invalid("expected at least one observation, found none");
    }
    if (observations.length != rows * world.observationSize()) {
      throw UserError.invalid(
          "an observation of %s has %d numbers; expected %d of them, found %d numbers",
          world.name(), world.observationSize(), rows, observations.length);
    }
  }

  /**
   * Writes the agent into a folder.
   *
   * @param about what else to say of it, such as where it comes from
   */
  public void save(Path folder, ObjectNode about) {
    save(folder, about, tensors(), Long.MAX_VALUE);
  }

  /** Everything that {@link #save} writes, by name. */
  public Map<String, TensorData> tensors() {
    Map<String, TensorData> tensors = new LinkedHashMap<>(model.use(Model::tensors));
    tensors.putAll(sample.tensors(world));
    return tensors;
  }

  /**
   * Writes the agent into a folder, with tensors that may be rounded ones of its own.
   *
   * @param maxBytes of a file of tensors
   */
  public void save(Path folder, ObjectNode about, Map<String, TensorData> tensors, long maxBytes) {
    ObjectNode description = Json.object();
    description.put("format", ModelFormat.CURRENT);
    description.put("agent", name);
    description.put("environment", world.reference());
    description.set("world", StoredWorld.of(world).toJson());
    description.set("shape", Settings.toJson(model.get().shape()));
    description.setAll(about);
    Map<String, String> metadata = Map.of("format", ModelFormat.CURRENT);
    AgentTensors.write(folder, description, tensors, metadata, maxBytes);
    Json.write(folder.resolve(DESCRIPTION), description);
  }

  /** Of a description that was read, what {@link #save} takes as said about the agent. */
  public static ObjectNode about(ObjectNode description) {
    return description.deepCopy().remove(ModelFormat.KEYS).remove(AgentTensors.KEYS);
  }

  /** Whether there is an agent's description in this very folder. */
  public static boolean isIn(Path folder) {
    Path file = folder.resolve(DESCRIPTION);
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
    Optional<ZeroShotAgent> agent = loadNow(folder);
    if (agent.isEmpty()) {
      // A trainer may have been between the two files.
      try {
        Thread.sleep(BETWEEN_FILES_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      agent = loadNow(folder);
    }
    return agent.orElseThrow(() -> AgentTensors.ofAnotherSave(folder));
  }

  /**
   * Reads an agent's own folder once: empty where its files are not of the same save, which {@link
   * #load} takes for a save that is under way, and waits for.
   */
  public static Optional<ZeroShotAgent> loadNow(Path folder) {
    Path file = folder.resolve(DESCRIPTION);
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
      agent.rehearse();
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

  @Override
  public void close() {
    model.close();
  }

  /**
   * Answers a prompt that nobody gave. What comes first takes long, in libtorch and in Java; so the
   * first real prompt does not have to wait for it.
   */
  private void rehearse() {
    float[] state = Arrays.copyOf(sample.observations(), world.observationSize());
    if (model.get() instanceof FiniteModel finite) {
      // By the quick way: the model's own may take minutes, and nobody has asked for it yet.
      double[] goal = new double[finite.featureDimension()];
      goal[0] = 1;
      finite.quickActionValues(new double[][] {goal});
      return;
    }
    prepare();
    // Where there is a choice, by the quickest way.
    ZeroShotAgent quick =
        model.get().methods().contains(SolveMethod.BEST) ? solvingBy(SolveMethod.BEST) : this;
    quick.solveGoal(state).act(state);
    if (sample.quantities().isPresent()) {
      // A formula, where there is one: to read one is most of what a first prompt waits for.
      Optional<Task> task =
          world.tasks().stream().filter(each -> !world.concernsEpisodeGoal(each)).findFirst();
      String formula = task.map(Task::formula).orElse(world.quantities().get(0).name());
      (formula.isEmpty() ? quick.solve(task.orElseThrow()) : quick.solve(formula)).act(state);
    }
  }
}
