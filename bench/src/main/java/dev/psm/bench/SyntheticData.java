package dev.psm.bench;

import dev.psm.agents.control.ControlTrainer;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.Seeds;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Transitions of the walker's size, but of noise, and what the peer is given of them. */
final class SyntheticData {
  private static final int EPISODES = 50;

  /** As many actions as the codebook of published size has. */
  private static final int CODEBOOK = (1 << 16) + 20_000;

  private SyntheticData() {}

  static void write(Path folder) {
    SyntheticWalker walker = new SyntheticWalker();
    try (DatasetWriter writer = DatasetWriter.create(folder, SyntheticWalker.description())) {
      for (int i = 0; i < EPISODES; i++) {
        writer.append(walker.next(SyntheticWalker.STEPS));
      }
      writer.flush();
    }
  }

  /** The whole dataset for the peer, which keeps it in memory as the trainer does. */
  static void export(Dataset dataset, Path file) {
    int rows = Math.toIntExact(dataset.rows());
    Columns columns = dataset.columns();
    float[] observations = new float[rows * columns.observation()];
    float[] actions = new float[rows * columns.action()];
    float[] discounts = new float[rows];
    dataset.observations(0, rows, observations, 0);
    dataset.actions(0, rows, actions, 0);
    dataset.discounts(0, rows, discounts, 0);
    long[] starts = new long[Math.toIntExact(dataset.transitions())];
    long[] lasts = new long[rows];
    int next = 0;
    for (int episode = 0; episode < dataset.episodes(); episode++) {
      int first = (int) dataset.firstRow(episode);
      int last = (int) dataset.lastRow(episode);
      Arrays.fill(lasts, first, last + 1, last);
      for (int row = first; row < last; row++) {
        starts[next++] = row;
      }
    }
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    tensors.put("observations", TensorData.of(observations, rows, columns.observation()));
    tensors.put("actions", TensorData.of(actions, rows, columns.action()));
    tensors.put("discounts", TensorData.of(discounts, rows, 1));
    tensors.put("starts", TensorData.of(starts, starts.length));
    tensors.put("lasts", TensorData.of(lasts, lasts.length));
    Safetensors.write(file, tensors, Map.of());
  }

  /**
   * Takes the trainer's first steps, and writes down where they began and what was drawn for them.
   *
   * @return per step, what the trainer watches
   */
  static List<Map<String, double[]>> firstSteps(ControlTrainer trainer, int steps, Path file) {
    Map<String, TensorData> tensors = new LinkedHashMap<>(trainer.checkpoint(TrainingSubject.SEED));
    tensors.put("codebook", codebook());
    List<Map<String, double[]>> watched = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      try (StepInputs draws = trainer.draw()) {
        draws.export("draws/%d/".formatted(step), tensors);
        trainer.step(draws);
      }
      watched.add(trainer.metrics());
    }
    Safetensors.write(file, tensors, Map.of());
    return watched;
  }

  /** PSM's table of actions, which no checkpoint holds since it follows from the seed. */
  private static TensorData codebook() {
    RandomGenerator random = Seeds.generator(Seeds.mix(TrainingSubject.SEED, 0, "codebook"));
    int width = SyntheticWalker.COLUMNS.action();
    float[] actions = new float[CODEBOOK * width];
    for (int i = 0; i < actions.length; i++) {
      actions[i] = 2 * random.nextFloat() - 1;
    }
    return TensorData.of(actions, CODEBOOK, width);
  }
}
