package dev.psm.mujoco.mjcf;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.Environment;
import dev.psm.core.env.Plane;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.env.WorldSource;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Hashes;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.mujoco.ModelFacts;
import dev.psm.mujoco.MujocoException;
import dev.psm.mujoco.MujocoLibrary;
import dev.psm.mujoco.Simulation;
import dev.psm.mujoco.Simulation.Kind;
import dev.psm.mujoco.suite.PhysicsEnvironment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A model in MuJoCo's XML as a world. Its sizes are known only to the engine, so it is compiled
 * when it is read; environments copy the compiled model and never look at the file again.
 */
public final class MjcfWorld implements World {
  private static final String ENDING = ".xml";
  private static final int HASH_DIGITS = 12;
  private static final Pattern LINE_BREAKS = Pattern.compile("[\\s:]*\\R\\s*");

  private final Path file;
  private final String name;
  private final Simulation model;
  private final List<Gauge> gauges;
  private final List<Quantity> quantities;
  private final MjcfSettings settings;
  private final String title;
  private final int actionSize;
  private final int stateSize;
  private final double stepSeconds;
  private final Bounds bounds;
  private final String hash;

  /** Reads {@code .xml} files. */
  public static final class Source implements WorldSource {
    @Override
    public boolean reads(Path file) {
      return file.toString().toLowerCase(Locale.ROOT).endsWith(ENDING);
    }

    @Override
    public World read(Path file) {
      return new MjcfWorld(file);
    }
  }

  private MjcfWorld(Path given) {
    file = given.toAbsolutePath().normalize();
    name = name(file);
    model = compile(name, file);
    ModelFacts facts = model.facts();
    check(model, file);
    Gauges measured = new Gauges(model);
    gauges = List.copyOf(measured.all());
    quantities = gauges.stream().map(Gauge::quantity).toList();
    settings = MjcfSettings.of(file, measured, facts);
    actionSize = facts.size("nu");
    stateSize = measured.state().size() + MjcfDomain.unrecalled(model).length;
    // Decimal timesteps add up to decimals with a tail.
    stepSeconds = Math.rint(settings.substeps() * facts.timestep() * 1e9) / 1e9;
    title =
        "the robot of %s: %s, %s, %s"
            .formatted(
                file.getFileName(),
                Wording.count(facts.size("njnt"), "joint"),
                Wording.count(actionSize, "actuator"),
                Wording.count(facts.size("nsensor"), "sensor"));
    hash =
        Hashes.sha256(facts.bytes(), settings.dynamics().getBytes(StandardCharsets.UTF_8))
            .substring(0, HASH_DIGITS);
    bounds = understood(file, () -> Bounds.of(model));
    model.handOver();
  }

  /** The file's own name without its ending; one that a world of psm has is told apart. */
  private static String name(Path file) {
    String base = file.getFileName().toString();
    String word =
        base.substring(0, base.length() - ENDING.length()).replaceAll("[^A-Za-z0-9_-]", "-");
    String name = word.matches("[A-Za-z0-9].*") ? word : "robot" + word;
    return Worlds.find(name).isPresent() ? name + "-xml" : name;
  }

  private static Simulation compile(String name, Path file) {
    MujocoLibrary.load();
    if (!Files.isReadable(file)) {
      throw UserError.invalid("%s: expected a model in MuJoCo's XML, found no readable file", file);
    }
    return understood(file, () -> new Simulation(name, file));
  }

  /** MuJoCo's own words, in one line behind the file's name. */
  private static <T> T understood(Path file, Supplier<T> work) {
    try {
      return work.get();
    } catch (MujocoException e) {
      throw UserError.invalid("%s: %s", file, LINE_BREAKS.matcher(e.getMessage()).replaceAll(": "));
    }
  }

  private static void check(Simulation model, Path file) {
    ModelFacts facts = model.facts();
    if (facts.size("nv") == 0) {
      throw UserError.invalid(
          "%s: expected at least one joint, found none; give a body a <joint> or <freejoint>",
          file);
    }
    int actuators = facts.size("nu");
    if (actuators == 0) {
      throw UserError.invalid(
          "%s: expected at least one actuator, found none; add one, such as <actuator><motor"
              + " joint=\"NAME\" ctrllimited=\"true\" ctrlrange=\"-1 1\"/></actuator>",
          file);
    }
    double[] ranges = facts.doubles("actuator_ctrlrange", 2 * actuators);
    for (int i = 0; i < actuators; i++) {
      if (!(ranges[2 * i] < ranges[2 * i + 1])) {
        String named = model.nameOf(Kind.ACTUATOR, i);
        throw UserError.invalid(
            "%s: actuator %s: expected a ctrlrange, onto which actions from -1 to 1 are stretched,"
                + " found none; add one, such as ctrllimited=\"true\" ctrlrange=\"-1 1\"",
            file, named.isEmpty() ? "number " + (i + 1) : "'" + named + "'");
      }
    }
    if (facts.enabled("mjENBL_SENSORNOISE")) {
      throw UserError.invalid(
          "%s: expected sensors without noise, found <flag sensornoise=\"enable\"/>: the engine draws"
              + " it by itself, so that no seed would give the same episode again; remove the flag",
          file);
    }
  }

  List<Gauge> gauges() {
    return gauges;
  }

  MjcfSettings settings() {
    return settings;
  }

  Bounds bounds() {
    return bounds;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public int observationSize() {
    return settings.observation().size();
  }

  @Override
  public Space actionSpace() {
    return Space.Box.uniform(-1, 1, actionSize);
  }

  @Override
  public int episodeSteps() {
    return settings.episodeSteps();
  }

  @Override
  public double stepSeconds() {
    return stepSeconds;
  }

  @Override
  public List<Quantity> quantities() {
    return quantities;
  }

  @Override
  public List<Task> tasks() {
    return settings.tasks();
  }

  @Override
  public List<Quantity> place() {
    return settings.place();
  }

  @Override
  public List<String> examples() {
    return List.of("tolerance(%s, -0.1, 0.1, 1)".formatted(quantities.get(0).name()));
  }

  @Override
  public double discount() {
    return settings.discount();
  }

  @Override
  public Optional<Plane> plane() {
    return settings.plane();
  }

  @Override
  public int stateSize() {
    return stateSize;
  }

  /** Tells one robot from another that has the same file name, so that their data do not mix. */
  @Override
  public String engine() {
    return "MuJoCo %s, model %s".formatted(MujocoLibrary.load().version(), hash);
  }

  @Override
  public String reference() {
    return file.toString();
  }

  @Override
  public Environment open() {
    return new PhysicsEnvironment(new MjcfDomain(this, model.another()));
  }
}
