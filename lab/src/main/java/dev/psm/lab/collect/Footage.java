package dev.psm.lab.collect;

import dev.psm.core.data.Dataset;
import dev.psm.core.env.CheckedEnvironment;
import dev.psm.core.env.Environment;
import dev.psm.core.env.World;
import dev.psm.core.reward.Task;
import dev.psm.lab.Progress;
import dev.psm.lab.Shot;
import dev.psm.view.render.GifWriter;
import dev.psm.view.render.Renderer;
import java.io.IOException;
import java.nio.file.Path;

/** A film of stored states: a few seconds of some episodes, from the first to the last. */
public final class Footage {
  private static final int EPISODES = 4;
  private static final double SECONDS_EACH = 3;
  private static final int WIDTH = 400;
  private static final int HEIGHT = 300;

  private Footage() {}

  /** Films the middle of evenly spaced episodes, in real time. */
  public static void film(Dataset dataset, World world, Path file, Progress progress) {
    int wanted = (int) Math.round(SECONDS_EACH / world.stepSeconds());
    int shown = Math.min(EPISODES, dataset.episodes());
    try (Environment environment = CheckedEnvironment.open(world);
        Progress.Bar bar = progress.start("film", shown)) {
      GifWriter.save(
          file,
          WIDTH,
          HEIGHT,
          Shot.delay(world),
          gif -> {
            for (int i = 0; i < shown; i++) {
              int episode =
                  shown == 1 ? 0 : (int) ((long) i * (dataset.episodes() - 1) / (shown - 1));
              film(dataset, world, environment, episode, wanted, gif);
              bar.update(i + 1, "");
            }
          });
    }
  }

  private static void film(
      Dataset dataset, World world, Environment environment, int episode, int wanted, GifWriter gif)
      throws IOException {
    double[] physics = new double[world.stateSize()];
    long first = dataset.firstRow(episode);
    long last = dataset.lastRow(episode);
    long from = Math.max(first, (first + last - wanted) / 2);
    Shot shot = null;
    for (long row = from; row <= Math.min(last, from + wanted); row += Shot.stepsPerFrame(world)) {
      dataset.physics(row, 1, physics, 0);
      environment.recall(physics, 0);
      if (shot == null) {
        Task task = world.tasks().isEmpty() ? Task.unpaid(world.name()) : world.tasks().get(0);
        shot = new Shot(world, environment, task, new Renderer(WIDTH, HEIGHT));
      }
      gif.add(shot.frame("episode %d  step %d".formatted(episode, row - first)));
    }
  }
}
