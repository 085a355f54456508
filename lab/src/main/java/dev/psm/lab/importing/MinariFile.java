package dev.psm.lab.importing;

import dev.psm.core.UserError;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Episode;
import dev.psm.core.env.Space;
import dev.psm.lab.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Minari's datasets: one HDF5 file with a group per episode, {@code episode_0} and on, of T + 1
 * observations and T actions. A termination ends the task (discount 0), a truncation does not.
 *
 * <p>Observations may be dictionaries, also of dictionaries: their arrays are joined in the order
 * of their keys, which is Gymnasium's own when it flattens them.
 */
final class MinariFile implements EpisodeSource {
  static final String FIRST = "episode_0";

  private static final String OBSERVATIONS = "/observations";
  private static final String REWARDS = "/rewards";
  private static final int MAX_DEPTH = 16;

  /** Gymnasium's tuples are groups of {@code _index_0}, {@code _index_1} and on. */
  private static final Comparator<String> KEY_ORDER =
      Comparator.comparing((String key) -> key.startsWith("_index_") ? key.length() : 0)
          .thenComparing(Comparator.naturalOrder());

  private final Hdf5 file;
  private final List<String> parts;
  private final Columns columns;
  private final boolean rewarded;
  private final int episodes;

  MinariFile(Hdf5 file) {
    this.file = file;
    parts = parts(FIRST);
    rewarded = file.has(FIRST + REWARDS) && file.width(FIRST + REWARDS) == 1;
    int width = 0;
    for (String part : parts) {
      width = Math.addExact(width, file.width(FIRST + part));
    }
    columns =
        new Columns(
            width, file.width(FIRST + "/actions"), 0, rewarded ? Map.of(REWARD, 1) : Map.of());
    episodes = (int) file.names().stream().filter(name -> name.matches("episode_\\d+")).count();
  }

  /** The arrays that an episode's observations consist of, such as {@code /observations/goal}. */
  private List<String> parts(String episode) {
    List<String> found = new ArrayList<>();
    collect(episode, OBSERVATIONS, 0, found);
    if (found.isEmpty()) {
      throw UserError.invalid(
          "%s, %s%s: expected arrays, found an empty group", file.path(), episode, OBSERVATIONS);
    }
    return found;
  }

  private void collect(String episode, String part, int depth, List<String> found) {
    if (!file.isGroup(episode + part)) {
      found.add(part);
      return;
    }
    if (depth == MAX_DEPTH) {
      throw UserError.invalid(
          "%s, %s%s: more than %d dictionaries are in each other",
          file.path(), episode, OBSERVATIONS, MAX_DEPTH);
    }
    file.children(episode + part).stream()
        .sorted(KEY_ORDER)
        .forEach(key -> collect(episode, part + "/" + key, depth + 1, found));
  }

  @Override
  public String format() {
    return "minari";
  }

  @Override
  public Columns columns() {
    return columns;
  }

  /** Of a dictionary: its keys, numbered where there is a vector behind one. */
  @Override
  public List<String> names() {
    List<String> names = new ArrayList<>();
    if (!file.isGroup(FIRST + OBSERVATIONS)) {
      return names;
    }
    for (String part : parts) {
      String key = part.substring(OBSERVATIONS.length() + 1).replaceAll("[^A-Za-z0-9_]", "_");
      if (file.shape(FIRST + part).length == 1) {
        names.add(key);
        continue;
      }
      for (int i = 0; i < file.width(FIRST + part); i++) {
        names.add(key + "_" + i);
      }
    }
    return names;
  }

  @Override
  public Optional<Space> actionSpace() {
    return MinariSpace.ofActions(file);
  }

  @Override
  public boolean hasNumberedActions() {
    return columns.action() == 1 && file.isWhole(FIRST + "/actions");
  }

  @Override
  public void read(Consumer<Episode> consumer, Progress progress) {
    try (Progress.Bar bar = progress.start("import", episodes)) {
      for (int i = 0; i < episodes; i++) {
        consumer.accept(episode("episode_" + i));
        bar.update(i + 1, "");
      }
    }
  }

  private Episode episode(String group) {
    int steps = Math.toIntExact(file.rows(group + "/actions"));
    expect(group + "/actions", steps, columns.action());
    expect(group + "/terminations", steps, 1);
    float[] observations = observations(group, steps + 1);
    float[] actions = file.floats(group + "/actions", 0, steps);
    double[] terminations = file.doubles(group + "/terminations", 0, steps);
    float[] rewards = new float[steps];
    if (rewarded) {
      expect(group + REWARDS, steps, 1);
      rewards = file.floats(group + REWARDS, 0, steps);
    }
    Trajectory trajectory = new Trajectory(columns);
    for (int row = 0; row <= steps; row++) {
      trajectory.add(
          observations,
          row * columns.observation(),
          row == 0 ? null : actions,
          (row - 1) * columns.action(),
          row > 0 && terminations[row - 1] != 0 ? 0 : 1,
          null,
          0);
      if (row > 0) {
        trajectory.reward(rewards[row - 1]);
      }
    }
    return trajectory.finish();
  }

  /** The parts side by side. */
  private float[] observations(String group, int rows) {
    List<String> found = parts(group);
    if (!found.equals(parts)) {
      throw UserError.invalid(
          "%s, %s: expected the arrays %s as in %s, found %s",
          file.path(), group, parts, FIRST, found);
    }
    float[] joined = new float[Math.multiplyExact(rows, columns.observation())];
    int at = 0;
    for (String part : parts) {
      int width = file.width(FIRST + part);
      expect(group + part, rows, width);
      float[] values = file.floats(group + part, 0, rows);
      for (int row = 0; row < rows; row++) {
        System.arraycopy(values, row * width, joined, row * columns.observation() + at, width);
      }
      at += width;
    }
    return joined;
  }

  private void expect(String name, long rows, int width) {
    if (file.rows(name) != rows || file.width(name) != width) {
      throw UserError.invalid(
          "%s, array %s: expected %d rows of %d numbers, found %d of %d",
          file.path(), name, rows, width, file.rows(name), file.width(name));
    }
  }

  @Override
  public void close() {
    file.close();
  }

  /** Where a Minari dataset keeps its file, given its folder or the file itself. */
  static Path locate(Path path) {
    Path inside = path.resolve("data").resolve("main_data.hdf5");
    Path direct = path.resolve("main_data.hdf5");
    return java.nio.file.Files.exists(inside)
        ? inside
        : java.nio.file.Files.exists(direct) ? direct : path;
  }
}
