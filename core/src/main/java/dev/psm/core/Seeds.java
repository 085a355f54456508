package dev.psm.core;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Random numbers that are the same for the same seed on every machine and Java version. */
public final class Seeds {
  private Seeds() {}

  public static RandomGenerator generator(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }
}
