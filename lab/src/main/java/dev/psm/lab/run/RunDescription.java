package dev.psm.lab.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agent;
import dev.psm.agents.AgentSettings;
import dev.psm.agents.Agents;
import dev.psm.agents.TrainingData;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Hashes;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Provenance;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Everything that decides a run.
 *
 * @param provenance the software it was begun with
 */
public record RunDescription(
    Agent agent,
    String preset,
    Record settings,
    Data data,
    List<Long> seeds,
    Cadence cadence,
    ObjectNode provenance) {
  private static final int FORMAT = 1;
  private static final String STEPS = "gradientSteps";
  private static final List<String> KEYS =
      List.of(
          "format",
          "agent",
          "preset",
          "settings",
          "data",
          "world",
          "seeds",
          "cadence",
          "provenance");

  /** The largest number of seeds side by side. */
  private static final int MAX_SEEDS = 1000;

  public RunDescription {
    seeds = List.copyOf(seeds);
    provenance = provenance.deepCopy();
    requireDifferent(seeds);
  }

  /**
   * The experience that is learned from.
   *
   * @param folder where it lies; empty where the world itself is the data
   * @param stored what it says of the environment
   * @param fingerprint of its contents
   * @param collector what chose its actions
   * @param engine what computed its dynamics
   */
  public record Data(
      Optional<Path> folder,
      String environment,
      Optional<StoredWorld> stored,
      String fingerprint,
      String collector,
      String engine,
      long episodes,
      long transitions) {

    /** All transitions of a world whose states are few and known. */
    public static Data of(FiniteWorld world) {
      TransitionTable table = FiniteWorld.transitions(world, world.discount());
      return new Data(
          Optional.empty(),
          world.reference(),
          Optional.of(StoredWorld.of(world)),
          table.fingerprint(),
          "every action in every state",
          world.engine(),
          0,
          table.pairCount());
    }

    /** What a dataset says of itself; one that no agent can learn from is refused. */
    public static Data of(Path folder, Dataset dataset) {
      String environment = dataset.description().environment();
      World world = dataset.description().world();
      if (world instanceof FiniteWorld) {
        throw UserError.invalid(
            "the data in %s is of %s, of which every transition is known: its transitions"
                + " themselves are learned, not data",
            folder, environment);
      }
      if (Agents.learning(world).isEmpty()) {
        throw UserError.invalid(
            "no agent learns data of %s, which the data in %s is from", environment, folder);
      }
      requireWidth(folder, environment, "observation", dataset.columns().observation(), world);
      requireWidth(folder, environment, "action", dataset.columns().action(), world);
      return new Data(
          Optional.of(folder.toAbsolutePath().normalize()),
          environment,
          dataset.description().stored().map(stored -> stored.withGoalsOf(world)),
          dataset.fingerprint(),
          dataset.description().collector(),
          dataset.description().engine(),
          dataset.episodes(),
          dataset.transitions());
    }

    /** Refuses data with other contents; where it lies does not matter. */
    public void requireSame(TrainingData data) {
      if (data instanceof TrainingData.Complete complete) {
        FiniteWorld world = complete.world();
        if (!FiniteWorld.transitions(world, world.discount()).fingerprint().equals(fingerprint)) {
          throw UserError.invalid(
              "the transitions of %s are not what the run began with; bring back what defined it"
                  + " then, or start a new run",
              environment);
        }
        return;
      }
      Dataset dataset = ((TrainingData.Recorded) data).dataset();
      if (!dataset.fingerprint().equals(fingerprint)) {
        throw UserError.invalid(
                "the data in %s is not what the run began with: then it had %,d transitions with"
                    + " the fingerprint %.12s…, now %,d with %.12s…; start a new run, bring back"
                    + " the old data, or say where it has moved",
                folder.orElseThrow(),
                transitions,
                fingerprint,
                dataset.transitions(),
                dataset.fingerprint())
            .with(Remedy.LOCATE_DATA);
      }
    }

    private static void requireWidth(
        Path folder, String environment, String column, int found, World world) {
      int expected = column.equals("action") ? world.actionSize() : world.observationSize();
      if (found != expected) {
        throw UserError.invalid(
            "the data in %s has %d numbers per %s, but %s has %d",
            folder, found, column, environment, expected);
      }
    }
  }

  private static void requireDifferent(List<Long> seeds) {
    Set<Long> seen = new HashSet<>();
    for (long seed : seeds) {
      if (!seen.add(seed)) {
        throw UserError.argument("seeds", "%d is given twice; seeds must differ", seed);
      }
    }
    if (seeds.isEmpty() || seeds.size() > MAX_SEEDS) {
      throw UserError.argument(
          "seeds", "expected 1 to %d seeds, found %d", MAX_SEEDS, seeds.size());
    }
  }

  public String environment() {
    return data.environment;
  }

  public World world() {
    return Worlds.resolve(data.environment, data.stored);
  }

  /** The physics engine it was begun with; runs from before it was named knew only one. */
  public String engine() {
    return provenance.path(Provenance.ENGINE).asText("MuJoCo 2.2.2");
  }

  public int gradientSteps() {
    return common().gradientSteps();
  }

  public double discount() {
    return common().discount();
  }

  private AgentSettings common() {
    return (AgentSettings) settings;
  }

  /** The same run with another end. */
  public RunDescription withGradientSteps(int steps) {
    return withSettings(Settings.override(settings, List.of("gradientSteps=" + steps)));
  }

  public RunDescription withSettings(Record changed) {
    return new RunDescription(agent, preset, changed, data, seeds, cadence, provenance);
  }

  /** The same run on data in another place. */
  public RunDescription withFolder(Path folder) {
    Data moved =
        new Data(
            Optional.of(folder.toAbsolutePath().normalize()),
            data.environment,
            data.stored,
            data.fingerprint,
            data.collector,
            data.engine,
            data.episodes,
            data.transitions);
    return new RunDescription(agent, preset, settings, moved, seeds, cadence, provenance);
  }

  /** The same run, with the software it begins with. */
  public RunDescription begun(ObjectNode software) {
    return new RunDescription(agent, preset, settings, data, seeds, cadence, software);
  }

  /** Whether the run may go on beyond its end: not where what a step does depends on the end. */
  public boolean canBeExtended() {
    return common().isOpenEnded();
  }

  /**
   * Of the settings that decide a gradient step: when the last one comes is among them only where
   * learning rates decay until then.
   */
  String settingsHash() {
    return canBeExtended() ? openEndedHash() : hash(Settings.toJson(settings));
  }

  /** Of the settings but for the number of steps, which checkpoints of any run once had. */
  String openEndedHash() {
    ObjectNode settings = Settings.toJson(this.settings);
    ObjectNode holder = settings.has(STEPS) ? settings : (ObjectNode) settings.get("common");
    holder.put(STEPS, 1);
    return hash(settings);
  }

  private static String hash(ObjectNode settings) {
    return Hashes.sha256(Json.line(settings).getBytes(StandardCharsets.UTF_8));
  }

  /** As in "PSM on walker, seeds 0, 1". */
  public String title() {
    return "%s on %s, seed%s %s"
        .formatted(
            agent.title(),
            environment(),
            seeds.size() > 1 ? "s" : "",
            seeds.stream().map(String::valueOf).collect(Collectors.joining(", ")));
  }

  /** Writes what a seed has learned by a step, with where it comes from. */
  void save(ZeroShotAgent learned, long step, long seed, Path folder) {
    ObjectNode about = Json.object();
    about.put("preset", preset);
    about.set("settings", Settings.toJson(settings));
    about.put("seed", seed);
    about.put(STEPS, step);
    about
        .putObject("data")
        .put("collector", data.collector)
        .put(Provenance.ENGINE, data.engine)
        .put("transitions", data.transitions)
        .put("fingerprint", data.fingerprint);
    about.set("provenance", provenance);
    learned.save(folder, about);
  }

  /** As in a run's folder; {@link #read(JsonField)} makes a description of it again. */
  public ObjectNode toJson() {
    ObjectNode root = Json.object();
    root.put("format", FORMAT);
    root.put("agent", agent.id());
    root.put("preset", preset);
    root.set("settings", Settings.toJson(settings));
    ObjectNode learned = root.putObject("data");
    data.folder.ifPresent(folder -> learned.put("folder", folder.toString()));
    learned
        .put("environment", data.environment)
        .put("fingerprint", data.fingerprint)
        .put("collector", data.collector)
        .put(Provenance.ENGINE, data.engine)
        .put("episodes", data.episodes)
        .put("transitions", data.transitions);
    data.stored.ifPresent(world -> root.set("world", world.toJson()));
    ArrayNode list = root.putArray("seeds");
    seeds.forEach(list::add);
    root.set("cadence", Settings.toJson(cadence));
    root.set("provenance", provenance);
    return root;
  }

  private static <R extends Record> R part(JsonField root, String name, Class<R> type) {
    JsonField part = root.get(name);
    return Settings.fromJson(part.object(), type, part.place());
  }

  private static Path path(JsonField field) {
    try {
      return Path.of(field.text());
    } catch (InvalidPathException e) {
      throw field.error("expected the path of a folder, found " + field.shown());
    }
  }

  static RunDescription read(Path file) {
    return read(JsonField.read(file));
  }

  public static RunDescription read(JsonField root) {
    root.requireFormat(FORMAT);
    root.checkKeys(KEYS);
    String preset = root.get("preset").text();
    JsonField field = root.get("data");
    JsonField environment = field.get("environment");
    Optional<StoredWorld> stored = StoredWorld.in(root);
    World world = environment.within(() -> Worlds.resolve(environment.text(), stored));
    JsonField agentField = root.get("agent");
    Agent agent = agentField.within(() -> Agents.named(agentField.text(), world));
    Record settings = part(root, "settings", agent.settingsType());
    if (!(world instanceof FiniteWorld)) {
      field.get("folder");
    }
    Data data =
        new Data(
            field.has("folder") ? Optional.of(path(field.get("folder"))) : Optional.empty(),
            environment.text(),
            stored,
            field.get("fingerprint").text(),
            field.get("collector").text(),
            field.has(Provenance.ENGINE)
                ? field.get(Provenance.ENGINE).text()
                : DatasetDescription.UNKNOWN_ENGINE,
            field.get("episodes").whole(world instanceof FiniteWorld ? 0 : 1, Long.MAX_VALUE),
            field.get("transitions").whole(1, Long.MAX_VALUE));
    JsonField seedList = root.get("seeds");
    List<Long> seeds =
        seedList.elements().stream()
            .map(seed -> seed.whole(Long.MIN_VALUE, Long.MAX_VALUE))
            .toList();
    Cadence cadence = part(root, "cadence", Cadence.class);
    ObjectNode provenance = root.get("provenance").object();
    return seedList.within(
        () -> new RunDescription(agent, preset, settings, data, seeds, cadence, provenance));
  }
}
