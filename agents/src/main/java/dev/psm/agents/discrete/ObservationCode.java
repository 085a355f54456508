package dev.psm.agents.discrete;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * What networks see of observations. As the state s that something starts from: standardised by the
 * data's mean and deviation, and clipped. As the state s⁺ that is entered, one more number says how
 * it is meant: 0 where all of it counts, for rewards, and 1 where it is a goal, which speaks of
 * some of its numbers only, all others left out. So one network learns the density of states and
 * that of what goals speak of.
 */
final class ObservationCode implements AutoCloseable {
  /** Added to deviations, in the data's units, and the bound after scaling: as in FB's Fetch. */
  private static final double SMALLEST_DEVIATION = 0.01;

  private static final double CLIP = 5;
  private static final String MEAN = "observation.mean";
  private static final String DEVIATION = "observation.deviation";
  private static final String GOAL = "observation.goal";

  private final Parameters numbers;
  private final int size;
  private final boolean partial;

  private ObservationCode(Parameters numbers) {
    this.numbers = numbers;
    this.size = (int) numbers.get(GOAL).numel();
    this.partial = Tensors.toDoubles(numbers.get(GOAL).sum())[0] < size;
  }

  /**
   * @param goal which numbers of an observation goals speak of
   */
  static ObservationCode of(Dataset data, int[] goal, Device device) {
    int size = data.columns().observation();
    requirePlaces(goal, size);
    double[] sum = new double[size];
    double[] squares = new double[size];
    for (int episode = 0; episode < data.episodes(); episode++) {
      float[] observations = data.episode(episode).observations();
      for (int i = 0; i < observations.length; i++) {
        sum[i % size] += observations[i];
        squares[i % size] += (double) observations[i] * observations[i];
      }
    }
    float[] mean = new float[size];
    float[] deviation = new float[size];
    for (int i = 0; i < size; i++) {
      double centre = sum[i] / data.rows();
      mean[i] = (float) centre;
      double variance = Math.max(0, squares[i] / data.rows() - centre * centre);
      deviation[i] = (float) (Math.sqrt(variance) + SMALLEST_DEVIATION);
    }
    float[] spoken = new float[size];
    for (int i : goal) {
      spoken[i] = 1;
    }
    try (PointerScope scope = new PointerScope()) {
      Parameters numbers = new Parameters(device);
      numbers.add(MEAN, Tensors.floats(mean, 1, 1, size));
      numbers.add(DEVIATION, Tensors.floats(deviation, 1, 1, size));
      numbers.add(GOAL, Tensors.floats(spoken, 1, 1, size));
      return new ObservationCode(numbers);
    }
  }

  /** Goals are kept as marks of an observation's numbers, which have no order of their own. */
  private static void requirePlaces(int[] goal, int size) {
    for (int i = 0; i < goal.length; i++) {
      if (goal[i] < (i == 0 ? 0 : goal[i - 1] + 1) || goal[i] >= size) {
        throw wrongPlaces(goal, size);
      }
    }
    if (goal.length == 0) {
      throw wrongPlaces(goal, size);
    }
  }

  private static UserError wrongPlaces(int[] goal, int size) {
    return UserError.invalid(
        "the world's achieved goal must be ascending places in an observation of %d numbers, from"
            + " 0 on, and one at least; found %s",
        size, Arrays.toString(goal));
  }

  /** Of a file; its shapes must have been compared with {@link #shapes}. */
  static ObservationCode of(int size, Map<String, TensorData> tensors, String fileName) {
    requireAll(tensors, fileName, DEVIATION, "a number above 0", x -> x > 0);
    requireAll(tensors, fileName, GOAL, "0 or 1", x -> x == 0 || x == 1);
    boolean none = true;
    for (float mark : tensors.get(GOAL).floats()) {
      none &= mark == 0;
    }
    if (none) {
      throw UserError.invalid("%s: tensor '%s' is all 0, so goals are nothing", fileName, GOAL);
    }
    try (PointerScope scope = new PointerScope()) {
      Parameters numbers = new Parameters();
      shapes(size).forEach((name, shape) -> numbers.add(name, torch.zeros(shape)));
      numbers.load("", tensors, fileName);
      return new ObservationCode(numbers);
    }
  }

  private static void requireAll(
      Map<String, TensorData> tensors,
      String fileName,
      String name,
      String expected,
      DoublePredicate valid) {
    for (float number : tensors.get(name).finiteFloats(name, fileName)) {
      if (!valid.test(number)) {
        throw UserError.invalid(
            "%s: tensor '%s' holds %s, expected %s", fileName, name, number, expected);
      }
    }
  }

  static Map<String, long[]> shapes(int size) {
    long[] shape = {1, 1, size};
    // In an order of their own: that of Map.of is another one in every process.
    Map<String, long[]> shapes = new LinkedHashMap<>();
    List.of(MEAN, DEVIATION, GOAL).forEach(name -> shapes.put(name, shape));
    return shapes;
  }

  void export(Map<String, TensorData> into) {
    numbers.export("", into);
  }

  /** Numbers in an observation. */
  int size() {
    return size;
  }

  /** Numbers in an entered state's code. */
  int enteredSize() {
    return enteredSize(size);
  }

  /**
   * @param size numbers in an observation
   */
  static int enteredSize(int size) {
    return size + 1;
  }

  /** Whether goals are less than observations. */
  boolean isPartial() {
    return partial;
  }

  GoalNumbers goalNumbers() {
    float[] spoken = Tensors.toFloats(numbers.get(GOAL));
    int[] places = IntStream.range(0, size).filter(i -> spoken[i] != 0).toArray();
    return new GoalNumbers(places, size);
  }

  /** s: seeds × rows × observation, of observations in that shape. */
  Tensor states(Tensor observations) {
    return observations
        .sub(numbers.get(MEAN))
        .div_(numbers.get(DEVIATION))
        .clamp_min_(scalar(-CLIP))
        .clamp_max_(scalar(CLIP));
  }

  /** s⁺ with all its numbers: seeds × rows × (observation + 1). */
  Tensor wholes(Tensor observations) {
    return marked(states(observations), 0);
  }

  /** s⁺ as a goal: the same shape. */
  Tensor goals(Tensor observations) {
    return partial ? marked(states(observations).mul_(numbers.get(GOAL)), 1) : wholes(observations);
  }

  private static Tensor marked(Tensor states, double mark) {
    Tensor column = torch.full_like(states.narrow(-1, 0, 1), scalar(mark));
    return torch.cat(new TensorVector(states, column), -1);
  }

  @Override
  public void close() {
    numbers.close();
  }
}
