package dev.psm.lab.importing;

import dev.psm.core.UserError;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Episode;
import dev.psm.lab.Progress;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;

/**
 * D4RL's datasets: one HDF5 file with all episodes one after the other. A row holds a state and the
 * action taken in it; {@code terminals} marks a step that ended the task (discount 0), {@code
 * timeouts} one after which the episode was merely cut. Files without timeouts are cut where a
 * row's state is not the one that the row before led to.
 *
 * <p>Where an episode's last step led is in {@code next_observations} if the file has it; physics
 * are then left out, as they lack that last state. If not, the last action of each episode leads
 * nowhere and is dropped, and with it the knowledge that a task ended.
 */
final class D4rlFile implements EpisodeSource {
  private static final int BLOCK = 4096;

  private final Hdf5 file;
  private final Columns columns;
  private final boolean physics;
  private final boolean successors;
  private final boolean timeouts;
  private final boolean rewarded;
  private final long rows;

  D4rlFile(Hdf5 file) {
    this.file = file;
    rows = file.rows("observations");
    successors = file.has("next_observations");
    physics = !successors && file.has("infos/qpos") && file.has("infos/qvel");
    timeouts = file.has("timeouts");
    rewarded = file.has("rewards") && width("rewards") == 1;
    columns =
        new Columns(
            width("observations"),
            width("actions"),
            physics ? width("infos/qpos") + width("infos/qvel") : 0,
            rewarded ? Map.of(REWARD, 1) : Map.of());
    require("terminals", 1);
    if (timeouts) {
      require("timeouts", 1);
    } else if (!successors) {
      throw UserError.invalid(
          "%s has neither timeouts nor next_observations, so where its episodes end cannot be told;"
              + " add one of them",
          file.path());
    }
    if (successors) {
      require("next_observations", columns.observation());
    }
  }

  private void require(String name, int width) {
    if (width(name) != width) {
      throw UserError.invalid(
          "%s, array %s: expected %d numbers a row, found %d",
          file.path(), name, width, width(name));
    }
  }

  private int width(String name) {
    if (file.rows(name) != rows) {
      throw UserError.invalid(
          "%s, array %s: expected %d rows as in observations, found %d",
          file.path(), name, rows, file.rows(name));
    }
    return file.width(name);
  }

  @Override
  public String format() {
    return "d4rl";
  }

  @Override
  public Columns columns() {
    return columns;
  }

  @Override
  public boolean hasNumberedActions() {
    return columns.action() == 1 && file.isWhole("actions");
  }

  @Override
  public void read(Consumer<Episode> episodes, Progress progress) {
    Trajectory trajectory = new Trajectory(columns);
    float[] action = null;
    float[] successor = null;
    float reward = 0;
    try (Progress.Bar bar = progress.start("import", rows)) {
      for (long done = 0; done < rows; done += BLOCK) {
        int count = (int) Math.min(BLOCK, rows - done);
        float[] observations = file.floats("observations", done, count);
        float[] actions = file.floats("actions", done, count);
        float[] next = successors ? file.floats("next_observations", done, count) : null;
        double[] terminal = file.doubles("terminals", done, count);
        double[] timeout = timeouts ? file.doubles("timeouts", done, count) : new double[count];
        float[] rewards = rewarded ? file.floats("rewards", done, count) : new float[count];
        double[] states = physics ? states(done, count) : new double[0];
        for (int row = 0; row < count; row++) {
          if (!timeouts && trajectory.rows() > 0 && !follows(successor, observations, row)) {
            trajectory.add(successor, 0, action, 0, 1, null, 0);
            trajectory.reward(reward);
            finish(trajectory, episodes);
          }
          boolean first = trajectory.rows() == 0;
          trajectory.add(
              observations,
              row * columns.observation(),
              first ? null : action,
              0,
              1,
              states,
              row * columns.physics());
          if (!first) {
            trajectory.reward(reward);
          }
          reward = rewards[row];
          action = slice(actions, columns.action(), row);
          successor = successors ? slice(next, columns.observation(), row) : null;
          boolean last = done + row + 1 == rows;
          if (terminal[row] != 0 || timeout[row] != 0 || last) {
            if (successors) {
              float discount = terminal[row] != 0 ? 0 : 1;
              trajectory.add(successor, 0, action, 0, discount, null, 0);
              trajectory.reward(reward);
            }
            finish(trajectory, episodes);
          }
        }
        bar.update(done + count, "");
      }
    }
  }

  private static boolean follows(float[] successor, float[] observations, int row) {
    int from = row * successor.length;
    return Arrays.equals(
        successor, 0, successor.length, observations, from, from + successor.length);
  }

  private static float[] slice(float[] rows, int width, int row) {
    return Arrays.copyOfRange(rows, row * width, (row + 1) * width);
  }

  private double[] states(long from, int count) {
    double[] qpos = file.doubles("infos/qpos", from, count);
    double[] qvel = file.doubles("infos/qvel", from, count);
    int positions = qpos.length / count;
    int velocities = qvel.length / count;
    double[] states = new double[count * columns.physics()];
    for (int row = 0; row < count; row++) {
      System.arraycopy(qpos, row * positions, states, row * columns.physics(), positions);
      System.arraycopy(
          qvel, row * velocities, states, row * columns.physics() + positions, velocities);
    }
    return states;
  }

  private static void finish(Trajectory trajectory, Consumer<Episode> episodes) {
    Episode episode = trajectory.finish();
    // Without successors an episode of one step has nothing left.
    if (episode.transitions() > 0) {
      episodes.accept(episode);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
