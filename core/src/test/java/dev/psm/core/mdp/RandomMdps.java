package dev.psm.core.mdp;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Seeded MDPs of many shapes: absorbing and unreachable states, concentrated starts. */
final class RandomMdps {
  private RandomMdps() {}

  @SuppressWarnings("ArrayRecordComponent")
  record Case(String name, FiniteMdp mdp, double[] reward) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> all() {
    List<Case> cases = new ArrayList<>();
    int[][] shapes = {{1, 1}, {1, 3}, {2, 2}, {5, 1}, {8, 3}, {30, 4}, {80, 2}, {200, 5}};
    for (double discount : new double[] {0.5, 0.9, 0.98, 0.99}) {
      for (int[] shape : shapes) {
        long seed = shape[0] * 31L + shape[1];
        cases.add(
            new Case(
                "%d × %d, γ %s".formatted(shape[0], shape[1], discount),
                mdp(shape[0], shape[1], discount, 3, seed),
                reward(shape[0] * shape[1], seed)));
      }
    }
    return cases.stream();
  }

  /** About a tenth of the states absorb; the last state, when there are many, is unreachable. */
  static FiniteMdp mdp(int states, int actions, double discount, int branches, long seed) {
    Random random = new Random(seed);
    int reachable = states >= 8 ? states - 1 : states;
    FiniteMdp.Builder builder = FiniteMdp.builder(states, actions, discount);
    for (int state = 0; state < states; state++) {
      boolean absorbing = states >= 8 && random.nextInt(10) == 0;
      for (int action = 0; action < actions; action++) {
        int source = state;
        int[] next =
            absorbing
                ? new int[] {source}
                : IntStream.generate(() -> random.nextInt(reachable))
                    .limit(1 + random.nextInt(branches))
                    .distinct()
                    .toArray();
        builder.row(state, action, next, distribution(next.length, random));
      }
    }
    return builder.initial(distribution(states, random)).build();
  }

  static double[] distribution(int size, Random random) {
    double[] values = random.doubles(size, 0.01, 1).toArray();
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    for (int i = 0; i < size; i++) {
      values[i] /= sum;
    }
    return values;
  }

  static Policy policy(FiniteMdp mdp, Random random) {
    double[][] table = new double[mdp.stateCount()][];
    for (int state = 0; state < table.length; state++) {
      table[state] = distribution(mdp.actionCount(), random);
    }
    return Policy.of(table);
  }

  static double[] reward(int pairs, long seed) {
    return new Random(seed).doubles(pairs, -1, 1).toArray();
  }
}
