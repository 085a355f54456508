package dev.psm.lab.collect;

import dev.psm.core.data.Dataset;
import dev.psm.core.render.GifWriter;
import dev.psm.core.render.Renderer;
import dev.psm.lab.Progress;
import dev.psm.lab.Shot;
import dev.psm.mujoco.suite.Domain;
import dev.psm.mujoco.suite.DomainFacts;
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
  public static void film(Dataset dataset, DomainFacts facts, Path file, Progress progress) {
    int wanted = (int) Math.round(SECONDS_EACH / facts.controlTimestep());
    int shown = Math.min(EPISODES, dataset.episodes());
    try (Domain domain = facts.open();
        Progress.Bar bar = progress.start("film", shown)) {
      GifWriter.save(
          file,
          WIDTH,
          HEIGHT,
          Shot.delay(facts),
          gif -> {
            for (int i = 0; i < shown; i++) {
              int episode =
                  shown == 1 ? 0 : (int) ((long) i * (dataset.episodes() - 1) / (shown - 1));
              film(dataset, domain, episode, wanted, gif);
              bar.update(i + 1, "");
            }
          });
    }
  }

  private static void film(Dataset dataset, Domain domain, int episode, int wanted, GifWriter gif)
      throws IOException {
    DomainFacts facts = domain.facts();
    double[] physics = new double[facts.physicsSize()];
    long first = dataset.firstRow(episode);
    long last = dataset.lastRow(episode);
    long from = Math.max(first, (first + last - wanted) / 2);
    Shot shot = null;
    for (long row = from; row <= Math.min(last, from + wanted); row += Shot.stepsPerFrame(facts)) {
      dataset.physics(row, 1, physics, 0);
      domain.recall(physics, 0);
      if (shot == null) {
        shot = new Shot(domain, facts.tasks().get(0), new Renderer(WIDTH, HEIGHT));
      }
      gif.add(shot.frame("episode %d  step %d".formatted(episode, row - first)));
    }
  }
}
