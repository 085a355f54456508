package dev.psm.agents.rnd;

import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;

/**
 * All that an update computes from, besides the networks: a batch and two draws of standard normal
 * noise for its actions, of the next states and of the states. Learners with numbered actions leave
 * the noise alone.
 */
record UpdateInputs(
    Tensor observations,
    Tensor actions,
    Tensor nextObservations,
    Tensor discounts,
    Tensor nextNoise,
    Tensor noise) {

  /** A batch on a device, with noise drawn for it. */
  static UpdateInputs of(
      NStepReplay.Batch batch,
      int observationSize,
      int actionSize,
      RandomGenerator random,
      Device device) {
    int rows = batch.size();
    return new UpdateInputs(
        device.place(Tensors.floats(batch.observations(), rows, observationSize)),
        device.place(Tensors.floats(batch.actions(), rows, actionSize)),
        device.place(Tensors.floats(batch.nextObservations(), rows, observationSize)),
        device.place(Tensors.floats(batch.discounts(), rows, 1)),
        device.place(Tensors.gaussian(random, rows, actionSize)),
        device.place(Tensors.gaussian(random, rows, actionSize)));
  }

  /** How they lie in one array: in the order above, the batch's part as the replay samples it. */
  record Layout(int rows, int observationSize, int actionSize) {
    int noiseStart() {
      return rows * (2 * observationSize + actionSize + 1);
    }

    int numbers() {
      return noiseStart() + 2 * rows * actionSize;
    }

    /** Views of a tensor of {@link #numbers}. */
    UpdateInputs split(Tensor numbers) {
      int[] widths = {observationSize, actionSize, observationSize, 1, actionSize, actionSize};
      Tensor[] parts = new Tensor[widths.length];
      long start = 0;
      for (int i = 0; i < widths.length; i++) {
        long length = (long) rows * widths[i];
        parts[i] = numbers.narrow(0, start, length).view(rows, widths[i]);
        start += length;
      }
      return new UpdateInputs(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
    }
  }
}
