package dev.psm.lab.collect;

import dev.psm.core.data.Dataset;
import dev.psm.core.render.Camera;
import dev.psm.core.render.GifWriter;
import dev.psm.core.render.Renderer;
import dev.psm.lab.Progress;
import dev.psm.mujoco.suite.Domain;
import dev.psm.mujoco.suite.DomainFacts;
import dev.psm.mujoco.suite.Stage;
import java.io.IOException;
import java.nio.file.Path;

/** A film of stored states: a few seconds of some episodes, from the first to the last. */
public final class Footage {
  private static final int EPISODES = 4;
  private static final double SECONDS_EACH = 3;
  private static final int WIDTH = 400;
  private static final int HEIGHT = 300;
  private static final double FRAMES_PER_SECOND = 25;

  private Footage() {}

  /** Films the middle of evenly spaced episodes, in real time. */
  public static void film(Dataset dataset, DomainFacts facts, Path file, Progress progress) {
    int stride = Math.max(1, (int) Math.round(1 / (FRAMES_PER_SECOND * facts.controlTimestep())));
    int delay = Math.max(2, (int) Math.round(100 * stride * facts.controlTimestep()));
    int wanted = (int) Math.round(SECONDS_EACH / facts.controlTimestep());
    int shown = Math.min(EPISODES, dataset.episodes());
    try (Domain domain = facts.open();
        Progress.Bar bar = progress.start("film", shown)) {
      GifWriter.save(
          file,
          WIDTH,
          HEIGHT,
          delay,
          gif -> {
            for (int i = 0; i < shown; i++) {
              int episode =
                  shown == 1 ? 0 : (int) ((long) i * (dataset.episodes() - 1) / (shown - 1));
              film(dataset, domain, episode, wanted, stride, gif);
              bar.update(i + 1, "");
            }
          });
    }
  }

  private static void film(
      Dataset dataset, Domain domain, int episode, int wanted, int stride, GifWriter gif)
      throws IOException {
    Renderer renderer = new Renderer(WIDTH, HEIGHT);
    double[] physics = new double[domain.facts().physicsSize()];
    long first = dataset.firstRow(episode);
    long last = dataset.lastRow(episode);
    long from = Math.max(first, (first + last - wanted) / 2);
    double[] focus = null;
    Stage stage = null;
    for (long row = from; row <= Math.min(last, from + wanted); row += stride) {
      dataset.physics(row, 1, physics, 0);
      domain.recall(physics, 0);
      if (stage == null) {
        // Only now does the domain know this episode's goal.
        stage = new Stage(domain, domain.facts().tasks().get(0));
        focus = domain.focus();
      }
      focus = Camera.follow(focus, domain.focus());
      Camera camera = domain.camera(focus);
      gif.add(
          renderer
              .render(stage.shapes(), camera, domain.look().litFor(camera))
              .caption("episode %d  step %d".formatted(episode, row - first)));
    }
  }
}
