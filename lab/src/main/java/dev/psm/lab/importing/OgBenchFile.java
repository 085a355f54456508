package dev.psm.lab.importing;

import dev.psm.core.UserError;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Episode;
import dev.psm.core.io.numpy.NpyRows;
import dev.psm.core.io.numpy.Npz;
import dev.psm.lab.Progress;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/**
 * OGBench's datasets: one npz with all trajectories one after the other. A row holds a state and
 * the action taken in it; {@code terminals} is 1 in the last state of a trajectory, whose action
 * leads nowhere and is dropped. No step ends a task, so discounts are 1. {@code qpos} and {@code
 * qvel}, where the file has them, become the physics, and {@code rewards} a column.
 */
final class OgBenchFile implements EpisodeSource {
  private static final int BLOCK = 4096;

  private final Path file;
  private final Npz npz;
  private final Columns columns;
  private final boolean physics;
  private final boolean rewarded;
  private final long rows;

  OgBenchFile(Path file) {
    this.file = file;
    npz = Npz.open(file);
    boolean sound = false;
    try {
      for (String name : new String[] {"observations", "actions", "terminals"}) {
        if (!npz.names().contains(name)) {
          throw UserError.invalid(
              "%s has no array '%s'; an OGBench file has observations, actions and terminals,"
                  + " found %s",
              file, name, npz.names());
        }
      }
      rows = npz.header("observations").rows();
      physics = npz.names().contains("qpos") && npz.names().contains("qvel");
      rewarded = npz.names().contains("rewards") && width("rewards") == 1;
      columns =
          new Columns(
              width("observations"),
              width("actions"),
              physics ? width("qpos") + width("qvel") : 0,
              rewarded ? Map.of(REWARD, 1) : Map.of());
      if (width("terminals") != 1) {
        throw UserError.invalid(
            "%s, array terminals: expected one number a row, found %s",
            file, npz.header("terminals"));
      }
      sound = true;
    } finally {
      if (!sound) {
        npz.close();
      }
    }
  }

  private int width(String name) {
    if (npz.header(name).rows() != rows) {
      throw UserError.invalid(
          "%s, array %s: expected %d rows as in observations, found %s",
          file, name, rows, npz.header(name));
    }
    return (int) Math.min(Integer.MAX_VALUE, npz.header(name).rowElements());
  }

  @Override
  public String format() {
    return "ogbench";
  }

  @Override
  public Columns columns() {
    return columns;
  }

  @Override
  public boolean hasNumberedActions() {
    return columns.action() == 1 && npz.header("actions").type().isWhole();
  }

  @Override
  public void read(Consumer<Episode> episodes, Progress progress) {
    int positions = physics ? width("qpos") : 0;
    int velocities = physics ? width("qvel") : 0;
    float[] observations = new float[BLOCK * columns.observation()];
    // One row more in front: the action of the row before the block.
    float[] actions = new float[(BLOCK + 1) * columns.action()];
    float[] terminals = new float[BLOCK];
    float[] rewards = new float[BLOCK];
    float reward = 0;
    double[] qpos = new double[BLOCK * positions];
    double[] qvel = new double[BLOCK * velocities];
    double[] state = new double[columns.physics()];
    Trajectory trajectory = new Trajectory(columns);
    try (NpyRows observationRows = npz.rows("observations");
        NpyRows actionRows = npz.rows("actions");
        NpyRows terminalRows = npz.rows("terminals");
        NpyRows rewardRows = rewarded ? npz.rows("rewards") : null;
        NpyRows positionRows = physics ? npz.rows("qpos") : null;
        NpyRows velocityRows = physics ? npz.rows("qvel") : null;
        Progress.Bar bar = progress.start("import", rows)) {
      for (long done = 0; done < rows; ) {
        int count = (int) Math.min(BLOCK, rows - done);
        observationRows.read(observations, 0, count);
        actionRows.read(actions, columns.action(), count);
        terminalRows.read(terminals, 0, count);
        if (rewarded) {
          rewardRows.read(rewards, 0, count);
        }
        if (physics) {
          positionRows.read(qpos, 0, count);
          velocityRows.read(qvel, 0, count);
        }
        for (int row = 0; row < count; row++) {
          if (physics) {
            System.arraycopy(qpos, row * positions, state, 0, positions);
            System.arraycopy(qvel, row * velocities, state, positions, velocities);
          }
          boolean first = trajectory.rows() == 0;
          trajectory.add(
              observations,
              row * columns.observation(),
              first ? null : actions,
              row * columns.action(),
              1,
              state,
              0);
          if (!first) {
            trajectory.reward(reward);
          }
          reward = rewards[row];
          if (terminals[row] != 0 || done + row + 1 == rows) {
            finish(trajectory, episodes, done + row);
          }
        }
        System.arraycopy(actions, count * columns.action(), actions, 0, columns.action());
        done += count;
        bar.update(done, "");
      }
    }
  }

  private void finish(Trajectory trajectory, Consumer<Episode> episodes, long row) {
    if (trajectory.rows() < 2) {
      throw UserError.invalid(
          "%s, row %d: a trajectory of a single state has no transition; is 'terminals' right?",
          file, row);
    }
    episodes.accept(trajectory.finish());
  }

  @Override
  public void close() {
    npz.close();
  }
}
