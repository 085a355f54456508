package dev.psm.core;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Random numbers that are the same for the same seed on every machine and Java version. */
public final class Seeds {
  private static final RandomGeneratorFactory<RandomGenerator> FACTORY =
      RandomGeneratorFactory.of("L64X128MixRandom");

  private Seeds() {}

  public static RandomGenerator generator(long seed) {
    return FACTORY.create(seed);
  }

  /**
   * A seed of its own for one of many streams.
   *
   * @param seed the user's
   * @param index which of many equals, such as an episode or an environment
   * @param role what it draws, so that two uses of one seed never share a stream
   */
  public static long mix(long seed, long index, String role) {
    return scramble(scramble(scramble(seed) + index) + role.hashCode());
  }

  /**
   * The finaliser of SplitMix64: a bijection in which every bit of the input reaches every other.
   */
  private static long scramble(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
