package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelMlpTest {
  private static final int[] SIZES = {3, 5, 4, 2};
  private static final int SEEDS = 3;
  private static final int MEMBERS = 2;

  private static ParallelMlp network(boolean normaliseFirst, boolean activateLast) {
    return new ParallelMlp("net", SIZES, normaliseFirst, activateLast, MEMBERS, Math.sqrt(2));
  }

  private static List<Random> generators(int... seeds) {
    return Arrays.stream(seeds).mapToObj(Random::new).toList();
  }

  private static Parameters initial(ParallelMlp network, int... seeds) {
    Parameters parameters = new Parameters();
    network.initialise(parameters, generators(seeds));
    return parameters;
  }

  /** One network of the stack as a network of its own. */
  private static Parameters alone(Parameters stack, int index) {
    Parameters parameters = new Parameters();
    stack
        .asMap()
        .forEach(
            (name, tensor) -> {
              Tensor own = tensor.select(0, index);
              boolean matrix = name.matches("net\\.\\d\\.weight");
              parameters.add(name, matrix ? own.t().contiguous() : own.squeeze(0));
            });
    return parameters;
  }

  @ParameterizedTest
  @CsvSource({"true,false", "false,false", "true,true", "false,true"})
  void everyNetworkIsTheSingleOneOnItsOwnRows(boolean normaliseFirst, boolean activateLast) {
    ParallelMlp network = network(normaliseFirst, activateLast);
    Parameters parameters = initial(network, 1, 2, 3);
    Random random = new Random(7);
    try (NoGradGuard noGradient = new NoGradGuard()) {
      for (Tensor tensor : parameters.asMap().values()) {
        tensor.copy_(Tensors.gaussian(random, tensor.sizes().vec().get()));
      }
    }
    Tensor x = Tensors.gaussian(random, SEEDS * MEMBERS, 6, 3);
    Tensor found = network.forward(parameters, x);
    assertArrayEquals(new long[] {SEEDS * MEMBERS, 6, 2}, found.sizes().vec().get());
    Mlp single = new Mlp("net", SIZES, normaliseFirst, activateLast);
    for (int i = 0; i < SEEDS * MEMBERS; i++) {
      assertArrayEquals(
          Tensors.toFloats(single.forward(alone(parameters, i), x.get(i))),
          Tensors.toFloats(found.get(i)),
          1e-4f);
    }
  }

  @Test
  void theFirstMembersAnswerAlone() {
    ParallelMlp network = network(true, false);
    Parameters parameters = initial(network, 1, 2, 3);
    Tensor x = Tensors.gaussian(new Random(7), SEEDS, 6, 3);
    Tensor found = network.forwardFirst(parameters, x);
    Tensor all = network.forward(parameters, network.inputs(parameters, x, null));
    for (int seed = 0; seed < SEEDS; seed++) {
      assertArrayEquals(
          Tensors.toFloats(all.get((long) seed * MEMBERS)),
          Tensors.toFloats(found.get(seed)),
          1e-6f);
    }
  }

  @Test
  void aSeedsWeightsAreItsOwnWhoeverIsBesideIt() {
    ParallelMlp network = network(true, false);
    Parameters together = initial(network, 1, 2, 3);
    for (int seed = 1; seed <= SEEDS; seed++) {
      Slice slice = new Slice(seed - 1, SEEDS);
      Parameters alone = initial(network, seed);
      alone
          .asMap()
          .forEach(
              (name, tensor) ->
                  assertArrayEquals(
                      Tensors.toFloats(tensor),
                      Tensors.toFloats(slice.of(together.get(name))),
                      name));
    }
  }

  @Test
  void seedsAndMembersStartApart() {
    Tensor weights = initial(network(true, false), 1, 2, 3).get("net.1.weight");
    for (int one = 0; one < SEEDS * MEMBERS; one++) {
      for (int other = 0; other < one; other++) {
        assertFalse(
            Arrays.equals(Tensors.toFloats(weights.get(one)), Tensors.toFloats(weights.get(other))),
            one + " and " + other);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 1.4142135623730951})
  void weightsStartOrthogonalWithTheGainAndTheRestAtZeroOrOne(double gain) {
    Parameters parameters =
        initial(new ParallelMlp("net", new int[] {6, 9, 9, 4}, true, false, 2, gain), 1, 2);
    for (int layer = 0; layer < 3; layer++) {
      Tensor stack = parameters.get("net." + layer + ".weight");
      for (int i = 0; i < 4; i++) {
        Tensor weight = stack.get(i);
        boolean tall = weight.size(0) >= weight.size(1);
        Tensor gram = tall ? weight.t().matmul(weight) : weight.matmul(weight.t());
        Tensor expected = torch.eye(gram.size(0)).mul(Tensors.scalar(gain * gain));
        assertEquals(0, gram.sub(expected).abs().max().item_double(), 1e-5, "layer " + layer);
      }
      assertEquals(0, parameters.get("net." + layer + ".bias").abs().sum().item_double());
    }
    assertEquals(0, parameters.get("net.norm.bias").abs().sum().item_double());
    Tensor scales = parameters.get("net.norm.weight");
    assertEquals(0, scales.sub(Tensors.scalar(1)).abs().sum().item_double());
  }
}
