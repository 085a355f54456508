package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.rnd.DqnSettings;
import dev.psm.agents.rnd.ExplorerSettings;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.data.Episode;
import dev.psm.core.env.Space;
import dev.psm.core.env.VectorEnvironment;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.WorkContext;
import dev.psm.torch.Device;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Collects a dataset in rounds: every environment plays one episode, then all of them are stored
 * together with the explorer's state.
 *
 * <p>A round begins from nothing but the seed, its number and that state. So a collection that was
 * killed repeats the round it was in and goes on as if nothing had happened, to the bit, and no
 * episode is lost or doubled. An episode in which the simulation blew up is kept up to that moment,
 * and the environment starts another for what is left of the round.
 *
 * <p>Of the last round only as many episodes are stored as were asked for, together with the state
 * from before it. To ask for more later plays that round again and stores what is missing, so that
 * the dataset does not show in how many goes it was collected.
 */
public final class Collection {
  private static final String ROUND = "collection.round";
  private static final int MAX_ENVIRONMENTS = 1024;

  /** The setting that may change on the way; it then tells all devices in their order. */
  static final String DEVICE = "device";

  private static final String THEN = ", then ";

  /** Steps of all environments between two looks at the figures of learning. */
  private static final int NOTE_EVERY = 50;

  /** Rounds shorter than this share a chunk, or there would be thousands of tiny ones. */
  private static final int CHUNK_TRANSITIONS = 1000;

  private final World world;
  private final Plan plan;
  private final Explorer explorer;
  private final Path folder;
  private final Clock clock = new Clock();

  /** The round to play next. */
  private long round;

  /** How many of its episodes are stored already. */
  private int kept;

  private String note = "";

  /**
   * What is wanted.
   *
   * @param steps transitions in the finished dataset, at least; whole episodes are stored
   * @param environments at once; a part of what makes a collection reproducible
   * @param threads only change the speed
   */
  public record Plan(long steps, int environments, int threads, long seed) {
    public Plan {
      if (steps < 1) {
        throw UserError.argument("steps", "must be at least 1, found %d", steps);
      }
      if (environments < 1 || environments > MAX_ENVIRONMENTS) {
        throw UserError.argument(
            "environments", "must be from 1 to %d, found %d", MAX_ENVIRONMENTS, environments);
      }
      if (threads < 1) {
        throw UserError.argument("threads", "must be at least 1, found %d", threads);
      }
    }
  }

  /**
   * How it went, in this run alone.
   *
   * @param stored transitions before this run
   * @param added transitions by this run
   * @param physicsSeconds stepping environments
   * @param explorerSeconds choosing actions and learning
   * @param writingSeconds storing episodes and state
   * @param finished whether the dataset has what was asked for; else it was stopped
   */
  public record Result(
      long stored,
      long added,
      double seconds,
      double physicsSeconds,
      double explorerSeconds,
      double writingSeconds,
      long divergences,
      Map<String, Double> metrics,
      boolean finished) {}

  private Collection(World world, Plan plan, Explorer explorer, Path folder) {
    this.world = world;
    this.plan = plan;
    this.explorer = explorer;
    this.folder = folder;
  }

  /** Collects by uniformly random actions; see {@link #byCuriosity} for the rest. */
  public static Result atRandom(World world, Plan plan, Path folder, Progress progress) {
    return atRandom(world, plan, folder, WorkContext.of(progress));
  }

  /** The same, to be stopped. */
  public static Result atRandom(World world, Plan plan, Path folder, WorkContext context) {
    return new Collection(world, plan, new RandomExplorer(world, plan.seed), folder).run(context);
  }

  /** Collects by random actions that change slowly; see {@link #byCuriosity} for the rest. */
  public static Result byWandering(
      World world, Plan plan, WanderSettings settings, Path folder, WorkContext context) {
    requireVectors(world);
    return new Collection(world, plan, new WanderingExplorer(world, settings, plan.seed), folder)
        .run(context);
  }

  /**
   * Collects by RND, on DDPG or DQN as the settings are, into a new folder, or goes on in one that
   * holds the same collection unfinished.
   */
  public static Result byCuriosity(
      World world, Plan plan, ExplorerSettings settings, Path folder, Progress progress) {
    return byCuriosity(world, plan, settings, Device.CPU, folder, WorkContext.of(progress));
  }

  /**
   * The same with networks on a device. One that was begun on another device goes on, but not to
   * the bit as it would have there. Its context is told when the device changes.
   */
  public static Result byCuriosity(
      World world,
      Plan plan,
      ExplorerSettings settings,
      Device device,
      Path folder,
      WorkContext context) {
    requireActions(settings, world);
    try (Explorer explorer = new CuriousExplorer(world, settings, plan.seed, device)) {
      return new Collection(world, plan, explorer, folder).run(context);
    }
  }

  private static boolean isNumbered(World world) {
    return world.actionSpace() instanceof Space.Discrete;
  }

  static void requireVectors(World world) {
    if (isNumbered(world)) {
      throw UserError.invalid(
          "wander explores with vectors as actions; %s has numbered ones: collect with random or"
              + " dqn-rnd",
          world.name());
    }
  }

  static void requireActions(ExplorerSettings settings, World world) {
    boolean wantsNumbers = settings instanceof DqnSettings;
    if (isNumbered(world) && !wantsNumbers) {
      throw UserError.invalid(
          "%s explores with vectors as actions; %s has numbered ones: collect with dqn-rnd",
          settings.policy(), world.name());
    }
    if (!isNumbered(world) && wantsNumbers) {
      throw UserError.invalid(
          "%s explores with numbered actions; %s has vectors: collect with rnd",
          settings.policy(), world.name());
    }
  }

  private Result run(WorkContext context) {
    DatasetDescription description = description();
    if (!OutputFolder.holds(folder, "a dataset", Dataset::isIn)) {
      return begin(description, context);
    }
    // A finished dataset is only read: it may lie where nothing can be written.
    if (Dataset.episodesIn(folder) > 0) {
      try (Dataset dataset = Dataset.open(folder)) {
        requireSame(dataset.description(), description);
        if (dataset.transitions() >= plan.steps) {
          return new Result(dataset.transitions(), 0, 0, 0, 0, 0, 0, Map.of(), true);
        }
      }
    }
    try (DatasetWriter writer = DatasetWriter.resume(folder)) {
      requireSame(writer.description(), description);
      restore(writer);
      tellDevices(writer, description.settings(), context.notes());
      return collect(writer, context);
    }
  }

  /** A failure before anything was stored leaves the folder free. */
  private Result begin(DatasetDescription description, WorkContext context) {
    try (DatasetWriter writer = DatasetWriter.create(folder, description)) {
      try {
        tellDevices(writer, description.settings(), context.notes());
        return collect(writer, context);
      } finally {
        writer.discardEmpty();
      }
    }
  }

  /** Older datasets do not say, and were collected on the CPU. */
  private void tellDevices(DatasetWriter writer, ObjectNode wanted, Consumer<String> remarks) {
    if (!wanted.has(DEVICE)) {
      return;
    }
    ObjectNode settings = writer.description().settings();
    String before = settings.path(DEVICE).asText(Device.CPU.describe());
    String now = wanted.path(DEVICE).asText();
    if (writer.transitions() == 0) {
      before = now;
    }
    boolean same = before.equals(now) || before.endsWith(THEN + now);
    if (!same) {
      remarks.accept(
          "%s was collected on %s and goes on with %s: the last bits of the networks differ from"
                  .formatted(folder, before, now)
              + " what they would have been there");
    }
    writer.describe(settings.put(DEVICE, same ? before : before + THEN + now));
  }

  private Result collect(DatasetWriter writer, WorkContext context) {
    long stored = writer.transitions();
    long divergences;
    CollectionBar bar = new CollectionBar(context.progress(), world, plan);
    try (VectorEnvironment<Recorder> environments =
            new VectorEnvironment<>(
                world, plan.environments, plan.threads, i -> new Recorder(world));
        bar) {
      while (writer.transitions() < plan.steps) {
        long before = writer.transitions();
        Map<String, TensorData> start = explorer.state();
        bar.beginRound(before, explorer.isLearning());
        Optional<List<Episode>> played = play(environments, bar, before, context.stop());
        clock.begin();
        if (played.isEmpty()) {
          keep(writer, start);
          break;
        }
        List<Episode> episodes = played.get();
        List<Episode> fresh = episodes.subList(kept, episodes.size());
        int count = enough(fresh, plan.steps - before);
        if (count < fresh.size()) {
          kept += count;
          writer.checkpointWith(file -> save(file, start));
        } else {
          episodes.forEach(explorer::remember);
          round++;
          kept = 0;
          writer.checkpointWith(file -> save(file, explorer.state()));
        }
        writer.append(fresh.subList(0, count));
        if (writer.transitions() >= plan.steps || round % roundsPerChunk() == 0) {
          writer.flush();
        }
        clock.writing();
      }
      divergences =
          environments.ask(Recorder::divergences).stream().mapToLong(Long::longValue).sum();
    }
    return new Result(
        stored,
        writer.transitions() - stored,
        clock.total(),
        clock.physicsSeconds,
        clock.explorerSeconds,
        clock.writingSeconds,
        divergences,
        explorer.metrics(),
        writer.transitions() >= plan.steps);
  }

  /** Stores the rounds that wait for their chunk to be full, with the state that follows them. */
  private void keep(DatasetWriter writer, Map<String, TensorData> state) {
    if (writer.episodes() > 0) {
      writer.checkpointWith(file -> save(file, state));
      writer.flush();
    }
    clock.writing();
  }

  private int roundsPerChunk() {
    long steps = (long) plan.environments * world.episodeSteps();
    return (int) Math.max(1, CHUNK_TRANSITIONS / steps);
  }

  /** How many of these make up as many transitions, or all. */
  private static int enough(List<Episode> episodes, long transitions) {
    int count = 0;
    for (long missing = transitions; missing > 0 && count < episodes.size(); count++) {
      missing -= episodes.get(count).transitions();
    }
    return count;
  }

  /** A round; empty where it was stopped on the way, and counts for nothing. */
  private Optional<List<Episode>> play(
      VectorEnvironment<Recorder> environments,
      CollectionBar bar,
      long before,
      BooleanSupplier stop) {
    clock.begin();
    environments.ask(Recorder::beginRound);
    float[] observations = environments.reset(Seeds.mix(plan.seed, round, "starts"));
    clock.physics();
    for (int step = 1; step <= world.episodeSteps(); step++) {
      float[] actions = explorer.act(observations, plan.environments);
      clock.explorer();
      observations = environments.step(actions).observations();
      clock.physics();
      if (step % NOTE_EVERY == 0) {
        note = note();
      }
      bar.update(before + (long) step * plan.environments, note);
      if (stop.getAsBoolean()) {
        return Optional.empty();
      }
    }
    List<List<Episode>> played =
        environments.ask(
            recorder -> {
              // What a blown-up episode left of the round; whole ones are finished already.
              recorder.finish();
              return recorder.take();
            });
    return Optional.of(played.stream().flatMap(List::stream).toList());
  }

  private String note() {
    Double reward = explorer.metrics().get("intrinsic_reward");
    return reward == null || reward.isNaN()
        ? ""
        : String.format(Locale.ROOT, "intrinsic reward %.3f", reward);
  }

  private void save(Path file, Map<String, TensorData> explorerState) {
    Map<String, TensorData> state = new HashMap<>(explorerState);
    state.put(ROUND, TensorData.of(new long[] {round, kept}, 2));
    Safetensors.write(file, state, Map.of());
  }

  /** Brings everything to the beginning of the round to play next. */
  private void restore(DatasetWriter writer) {
    Optional<Path> checkpoint = writer.checkpoint();
    if (checkpoint.isEmpty()) {
      if (writer.episodes() > 0) {
        throw UserError.invalid(
            "%s holds episodes but no state of the collector, so they were not collected here;"
                + " choose another folder",
            folder);
      }
      return;
    }
    Map<String, TensorData> state = Safetensors.read(checkpoint.get()).tensors();
    TensorData place = state.get(ROUND);
    if (place == null || place.elementCount() != 2) {
      throw UserError.invalid(
          "%s: tensor '%s' must hold two numbers, found %s", checkpoint.get(), ROUND, place);
    }
    round = place.longs()[0];
    kept = (int) place.longs()[1];
    explorer.restore(state, checkpoint.get().toString());
    if (writer.episodes() == 0) {
      return;
    }
    try (Dataset dataset = Dataset.open(folder)) {
      dataset.requireIntact();
      for (int episode = 0; episode < dataset.episodes() - kept; episode++) {
        explorer.remember(dataset.episode(episode));
      }
    }
  }

  private DatasetDescription description() {
    ObjectNode settings = Json.object();
    settings.put("environments", plan.environments);
    settings.setAll(explorer.settings());
    return new DatasetDescription(
        world,
        world.engine(),
        explorer.name(),
        settings,
        plan.seed,
        new Columns(world.observationSize(), world.actionSize(), world.storedSize()));
  }

  private void requireSame(DatasetDescription found, DatasetDescription wanted) {
    if (found.settings().has(PartedCollection.PARTS)) {
      throw UserError.invalid(
          "%s was gathered from %s parts, and does not go on as one; give the same number of parts,"
              + " or choose another folder",
          folder, found.settings().path(PartedCollection.PARTS).asText());
    }
    requireSame("environment", found.environment(), wanted.environment());
    // A plugin's world may have changed under its name, and its episodes would no longer fit.
    found
        .stored()
        .ifPresent(
            described -> {
              described.requireSame(world);
              requireSame("steps per episode", described.episodeSteps(), world.episodeSteps());
            });
    requireSame("policy", found.collector(), wanted.collector());
    requireSame("seed", found.seed(), wanted.seed());
    requireSame("engine", found.engine(), wanted.engine());
    Set<String> keys = new TreeSet<>();
    found.settings().fieldNames().forEachRemaining(keys::add);
    wanted.settings().fieldNames().forEachRemaining(keys::add);
    keys.remove(DEVICE);
    for (String key : keys) {
      requireSame(key, found.settings().path(key).asText(), wanted.settings().path(key).asText());
    }
  }

  private void requireSame(String what, Object found, Object wanted) {
    if (!found.equals(wanted)) {
      throw UserError.invalid(
          "%s holds a collection with %s %s, not %s; give the same to go on with it, or choose"
              + " another folder",
          folder, what, found, wanted);
    }
  }

  /** Where the time goes. */
  private static final class Clock {
    private final long start = System.nanoTime();
    private long mark = start;
    private double physicsSeconds;
    private double explorerSeconds;
    private double writingSeconds;

    void begin() {
      mark = System.nanoTime();
    }

    void physics() {
      physicsSeconds += lap();
    }

    void explorer() {
      explorerSeconds += lap();
    }

    void writing() {
      writingSeconds += lap();
    }

    double total() {
      return (System.nanoTime() - start) / 1e9;
    }

    private double lap() {
      long now = System.nanoTime();
      double seconds = (now - mark) / 1e9;
      mark = now;
      return seconds;
    }
  }
}
