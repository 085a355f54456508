package dev.psm.zeroshot;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.Relabelling;
import dev.psm.core.env.World;
import dev.psm.core.io.TensorData;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * States of the data that a model carries with it, each with everything a reward may ask of it, so
 * that a reward becomes a task vector without the dataset and without the physics engine.
 *
 * @param observations what the features see: states × observation
 * @param quantities measured in the same states; absent where the data has no physics and its world
 *     does not observe them
 */
public record InferenceSample(float[] observations, Optional<QuantityTable> quantities) {
  /** The paper's number of states. */
  public static final int DEFAULT_SIZE = 10_000;

  private static final String OBSERVATIONS = "sample.observations";
  private static final String QUANTITY = "sample.quantity.";

  /**
   * Draws states that transitions led to, uniformly: what is observed there and what is paid there
   * belong to the same moment.
   */
  public static InferenceSample draw(Dataset data, World world, int count, long seed, int threads) {
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, 0, "inference sample"));
    long[] rows = new long[count];
    for (int i = 0; i < count; i++) {
      rows[i] = data.drawRow(random) + 1;
    }
    float[] observations = new float[Math.multiplyExact(count, data.columns().observation())];
    data.gatherObservations(rows, observations);
    if (world.quantitiesObserved()) {
      return observed(observations, world);
    }
    if (data.columns().physics() == 0) {
      return new InferenceSample(observations, Optional.empty());
    }
    if (data.columns().physics() != world.storedSize()) {
      throw UserError.invalid(
          "the dataset holds %d numbers of physics per state, but %s has %d",
          data.columns().physics(), world.name(), world.storedSize());
    }
    int size = world.storedSize();
    double[] physics = new double[Math.multiplyExact(count, size)];
    for (int i = 0; i < count; i++) {
      data.physics(rows[i], 1, physics, i * size);
    }
    QuantityTable table =
        new Relabelling(world, threads, (done, total) -> {})
            .naming(i -> rows[i])
            .quantities(world.quantities(), physics);
    return new InferenceSample(observations, Optional.of(table));
  }

  /**
   * One of an observation's numbers over all states.
   *
   * @param width numbers in an observation
   */
  DoubleSummaryStatistics range(int number, int width) {
    return IntStream.range(0, observations.length / width)
        .mapToDouble(row -> observations[row * width + number])
        .summaryStatistics();
  }

  /** Every state of a finite world, once. */
  public static InferenceSample everyState(FiniteWorld world) {
    int width = world.observationSize();
    float[] observations = new float[world.stateCount() * width];
    for (int state = 0; state < world.stateCount(); state++) {
      System.arraycopy(world.observation(state), 0, observations, state * width, width);
    }
    return new InferenceSample(observations, world.allStates());
  }

  /** Of a world whose quantities are observed. */
  private static InferenceSample observed(float[] observations, World world) {
    int width = world.observationSize();
    QuantityTable table = new QuantityTable(world.quantities(), observations.length / width);
    for (int i = 0; i < width; i++) {
      double[] column = table.column(world.quantities().get(i));
      for (int row = 0; row < column.length; row++) {
        column[row] = observations[row * width + i];
      }
    }
    return new InferenceSample(observations, Optional.of(table));
  }

  /** How many they are. */
  public int states(World world) {
    return observations.length / world.observationSize();
  }

  /** The first of the states: as they were drawn independently, a fair sample too. */
  public InferenceSample first(int count, World world) {
    return new InferenceSample(
        Arrays.copyOf(observations, count * world.observationSize()),
        quantities.map(
            table -> {
              QuantityTable few = new QuantityTable(world.quantities(), count);
              for (Quantity quantity : world.quantities()) {
                System.arraycopy(table.column(quantity), 0, few.column(quantity), 0, count);
              }
              return few;
            }));
  }

  /**
   * Whether a tensor must stay in single precision. Rewards are computed from quantities, with any
   * slope and with sharp edges, which half precision would move; features take a rounded
   * observation as they take a slightly other state, unless it is quantities too.
   */
  public static boolean mustBePrecise(String tensor, World world) {
    return tensor.startsWith(QUANTITY)
        || (tensor.equals(OBSERVATIONS) && world.quantitiesObserved());
  }

  /**
   * For a model's file; quantities in single precision, which is ample for a reward, unless they
   * are the observations.
   */
  public Map<String, TensorData> tensors(World world) {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    int width = world.observationSize();
    tensors.put(OBSERVATIONS, TensorData.of(observations, observations.length / width, width));
    if (world.quantitiesObserved()) {
      return tensors;
    }
    quantities.ifPresent(
        table ->
            world
                .quantities()
                .forEach(
                    quantity ->
                        tensors.put(QUANTITY + quantity.name(), floats(table.column(quantity)))));
    return tensors;
  }

  private static TensorData floats(double[] values) {
    float[] narrowed = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      narrowed[i] = (float) values[i];
    }
    return TensorData.of(narrowed, values.length);
  }

  public static InferenceSample load(
      Map<String, TensorData> tensors, World world, String fileName) {
    TensorData stored = tensor(tensors, OBSERVATIONS, fileName);
    int width = world.observationSize();
    long[] shape = stored.shape();
    if (shape.length != 2 || shape[0] == 0 || shape[1] != width) {
      throw UserError.invalid(
          "%s: tensor '%s' has shape %s, expected rows of %d",
          fileName, OBSERVATIONS, Arrays.toString(shape), width);
    }
    float[] observations = stored.finiteFloats(OBSERVATIONS, fileName);
    if (world instanceof FiniteWorld finite) {
      InferenceSample all = everyState(finite);
      if (!Arrays.equals(all.observations, observations)) {
        throw UserError.invalid(
            "%s: tensor '%s' must hold every state of %s once, in their order",
            fileName, OBSERVATIONS, world.name());
      }
      return all;
    }
    if (world.quantitiesObserved()) {
      return observed(observations, world);
    }
    if (world.quantities().stream()
        .noneMatch(quantity -> tensors.containsKey(QUANTITY + quantity.name()))) {
      return new InferenceSample(observations, Optional.empty());
    }
    int count = observations.length / width;
    QuantityTable table = new QuantityTable(world.quantities(), count);
    for (Quantity quantity : world.quantities()) {
      String name = QUANTITY + quantity.name();
      float[] column = tensor(tensors, name, fileName).finiteFloats(name, fileName);
      if (column.length != count) {
        throw UserError.invalid(
            "%s: tensor '%s' has %d numbers, expected one for each of %d states",
            fileName, name, column.length, count);
      }
      for (int i = 0; i < count; i++) {
        table.column(quantity)[i] = column[i];
      }
    }
    return new InferenceSample(observations, Optional.of(table));
  }

  private static TensorData tensor(Map<String, TensorData> tensors, String name, String fileName) {
    TensorData tensor = tensors.get(name);
    if (tensor == null) {
      throw UserError.invalid("%s: tensor '%s' is missing", fileName, name);
    }
    return tensor;
  }
}
