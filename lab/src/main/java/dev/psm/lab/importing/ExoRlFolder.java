package dev.psm.lab.importing;

import dev.psm.core.UserError;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Episode;
import dev.psm.core.io.numpy.NpyHeader;
import dev.psm.core.io.numpy.Npz;
import dev.psm.lab.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * ExoRL's buffers: one npz per episode with T + 1 rows, where row t holds the state after t steps
 * and the action, reward and discount of the step that led there. That is how our own store lays
 * episodes out, so nothing is shifted. Rewards are kept as an extra column, for comparison.
 */
final class ExoRlFolder implements EpisodeSource {
  private final List<Path> files;
  private final Columns columns;
  private final boolean numbered;

  ExoRlFolder(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw UserError.invalid("%s is no folder; ExoRL has one of npz files", folder);
    }
    try (Stream<Path> listed = Files.list(folder)) {
      files = listed.filter(file -> file.toString().endsWith(".npz")).sorted().toList();
    } catch (IOException e) {
      throw UserError.failed(e, "cannot list %s: %s", folder, e.getMessage());
    }
    if (files.isEmpty()) {
      throw UserError.invalid("%s holds no .npz file; ExoRL has one per episode", folder);
    }
    try (Npz first = Npz.open(files.get(0))) {
      boolean rewarded = first.names().contains(REWARD);
      columns =
          new Columns(
              width(first, files.get(0), "observation"),
              width(first, files.get(0), "action"),
              first.names().contains("physics") ? width(first, files.get(0), "physics") : 0,
              rewarded ? Map.of(REWARD, 1) : Map.of());
      numbered = columns.action() == 1 && first.header("action").type().isWhole();
    }
  }

  @Override
  public String format() {
    return "exorl";
  }

  @Override
  public Columns columns() {
    return columns;
  }

  @Override
  public boolean hasNumberedActions() {
    return numbered;
  }

  @Override
  public void read(Consumer<Episode> episodes, Progress progress) {
    try (Progress.Bar bar = progress.start("import", files.size())) {
      for (int i = 0; i < files.size(); i++) {
        Path file = files.get(i);
        try {
          episodes.accept(episode(file));
        } catch (UserError e) {
          throw e.kind() != UserError.Kind.INVALID || e.getMessage().startsWith(file.toString())
              ? e
              : UserError.invalid("%s, %s", file, e.getMessage());
        }
        bar.update(i + 1, file.getFileName().toString());
      }
    }
  }

  private Episode episode(Path file) {
    try (Npz npz = Npz.open(file)) {
      long rows = header(npz, file, "observation").rows();
      float[] observations = floats(npz, file, "observation", rows, columns.observation());
      float[] actions = floats(npz, file, "action", rows, columns.action());
      float[] discounts = floats(npz, file, "discount", rows, 1);
      double[] physics = {};
      if (columns.physics() > 0) {
        require(npz, file, "physics", rows, columns.physics());
        physics = npz.doubles("physics");
      }
      Map<String, float[]> extras =
          columns.extras().containsKey(REWARD)
              ? Map.of(REWARD, floats(npz, file, REWARD, rows, 1))
              : Map.of();
      return new Episode(observations, actions, discounts, physics, extras);
    }
  }

  private static float[] floats(Npz npz, Path file, String name, long rows, long width) {
    require(npz, file, name, rows, width);
    return npz.floats(name);
  }

  private static void require(Npz npz, Path file, String name, long rows, long width) {
    NpyHeader header = header(npz, file, name);
    if (header.rows() != rows || header.rowElements() != width) {
      throw UserError.invalid(
          "%s, array %s: expected %d rows of %d numbers, found %s",
          file, name, rows, width, header);
    }
  }

  private static NpyHeader header(Npz npz, Path file, String name) {
    if (!npz.names().contains(name)) {
      throw UserError.invalid(
          "%s has no array '%s'; an ExoRL episode has observation, action, discount and physics,"
              + " found %s",
          file, name, npz.names());
    }
    return npz.header(name);
  }

  private static int width(Npz npz, Path file, String name) {
    return (int) Math.min(Integer.MAX_VALUE, header(npz, file, name).rowElements());
  }

  @Override
  public void close() {}
}
