package dev.psm.mujoco.mjcf;

import dev.psm.core.env.Plane;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.mujoco.ModelFacts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a model file leaves open: its own sensible defaults, or what {@code NAME.psm.json} beside
 * {@code NAME.xml} says.
 *
 * @param observation what is observed: all sensors, or the whole state where there are none
 * @param substeps engine steps per control step: enough for {@link #CONTROL_SECONDS}
 * @param resetNoise how far a start is moved at most, in the units of each joint
 */
record MjcfSettings(
    List<Gauge> observation,
    List<Task> tasks,
    int substeps,
    int episodeSteps,
    double resetNoise,
    List<ResetRange> resetRanges,
    Optional<Plane> plane,
    List<Quantity> place,
    double discount) {

  static final int EPISODE_STEPS = 1000;
  static final double RESET_NOISE = 0.01;
  static final double DISCOUNT = 0.98;
  private static final double CONTROL_SECONDS = 0.02;

  /** A number of the state that a start draws uniformly. */
  record ResetRange(Gauge gauge, double low, double high) {}

  static Path fileOf(Path model) {
    String name = model.getFileName().toString();
    return model.resolveSibling(name.substring(0, name.length() - 4) + ".psm.json");
  }

  static MjcfSettings of(Path model, Gauges gauges, ModelFacts facts) {
    Path file = fileOf(model);
    return Files.exists(file)
        ? new SettingsFile(file, gauges, facts).read()
        : new MjcfSettings(
            observation(gauges),
            List.of(),
            substeps(facts),
            EPISODE_STEPS,
            RESET_NOISE,
            List.of(),
            Optional.empty(),
            List.of(),
            DISCOUNT);
  }

  static List<Gauge> observation(Gauges gauges) {
    return gauges.sensors().isEmpty() ? gauges.state() : gauges.sensors();
  }

  static int substeps(ModelFacts facts) {
    // 0.02 / 0.002 must not become 11 by rounding.
    return (int) Math.max(1, Math.ceil(CONTROL_SECONDS / facts.timestep() - 1e-9));
  }

  /** All of it that data depends on, so that data of one world is not mistaken for another's. */
  String dynamics() {
    return "%s %d %d %s %s"
        .formatted(
            observation.stream().map(Gauge::name).collect(Collectors.joining(",")),
            substeps,
            episodeSteps,
            resetNoise,
            resetRanges.stream()
                .map(range -> range.gauge.name() + ":" + range.low + ":" + range.high)
                .collect(Collectors.joining(",")));
  }
}
