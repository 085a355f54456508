package dev.psm.lab.importing;

import dev.psm.core.UserError;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Episode;
import dev.psm.lab.Progress;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Minari's datasets: one HDF5 file with a group per episode, {@code episode_0} and on, of T + 1
 * observations and T actions. A termination ends the task (discount 0), a truncation does not.
 */
final class MinariFile implements EpisodeSource {
  static final String FIRST = "episode_0";

  private final Hdf5 file;
  private final Columns columns;
  private final int episodes;

  MinariFile(Hdf5 file) {
    this.file = file;
    columns = new Columns(file.width(FIRST + "/observations"), file.width(FIRST + "/actions"), 0);
    episodes = (int) file.names().stream().filter(name -> name.matches("episode_\\d+")).count();
  }

  @Override
  public String format() {
    return "minari";
  }

  @Override
  public Columns columns() {
    return columns;
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
    expect(group + "/observations", steps + 1, columns.observation());
    expect(group + "/actions", steps, columns.action());
    expect(group + "/terminations", steps, 1);
    float[] observations = file.floats(group + "/observations", 0, steps + 1);
    float[] actions = file.floats(group + "/actions", 0, steps);
    double[] terminations = file.doubles(group + "/terminations", 0, steps);
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
    }
    return trajectory.finish();
  }

  private void expect(String name, long rows, int width) {
    if (file.rows(name) != rows || file.width(name) != width) {
      throw UserError.usage(
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
