package dev.psm.bench.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Bit flips, cuts, insertions, splices of other files, and numbers that lie about lengths. */
final class ByteMutator implements Function<RandomGenerator, byte[]> {
  private static final long[] NUMBERS = {
    0, 1, -1, 7, 8, 0xff, 0xffff, 0x7fffffff, 0x80000000L, 0xffffffffL, Long.MAX_VALUE, 1L << 40
  };
  private static final int MAX_INSERTED = 300;

  private final List<byte[]> sound;

  ByteMutator(byte[]... sound) {
    this.sound = List.of(sound);
  }

  @Override
  public byte[] apply(RandomGenerator random) {
    return damage(sound.get(random.nextInt(sound.size())), random);
  }

  byte[] damage(byte[] original, RandomGenerator random) {
    byte[] bytes = original.clone();
    for (int i = random.nextInt(3); i >= 0 && bytes.length > 0; i--) {
      bytes = once(bytes, random);
    }
    return bytes;
  }

  private byte[] once(byte[] bytes, RandomGenerator random) {
    // Half of the places are in the first bytes, where headers are.
    int at = random.nextInt(random.nextBoolean() ? bytes.length : Math.min(bytes.length, 64));
    int length = Math.min(bytes.length - at, 1 + random.nextInt(16));
    switch (random.nextInt(10)) {
      case 0, 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> bytes[at] = (byte) random.nextInt();
      case 3, 4 -> overwrite(bytes, at, number(random, 1 << random.nextInt(4)));
      case 5 -> overwrite(bytes, at, piece(random, length));
      case 6 -> bytes = replaced(bytes, at, length, new byte[0]);
      case 7 -> bytes = replaced(bytes, at, 0, piece(random, 1 + random.nextInt(MAX_INSERTED)));
      case 8 -> bytes = replaced(bytes, at, 0, repeated(bytes[at], random));
      default -> bytes = Arrays.copyOf(bytes, random.nextBoolean() ? at : bytes.length + length);
    }
    return bytes;
  }

  private static byte[] number(RandomGenerator random, int width) {
    long number = NUMBERS[random.nextInt(NUMBERS.length)];
    ByteOrder order = random.nextInt(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    byte[] wide = ByteBuffer.allocate(Long.BYTES).order(order).putLong(number).array();
    return order == ByteOrder.BIG_ENDIAN
        ? Arrays.copyOfRange(wide, Long.BYTES - width, Long.BYTES)
        : Arrays.copyOf(wide, width);
  }

  private byte[] piece(RandomGenerator random, int length) {
    byte[] other = sound.get(random.nextInt(sound.size()));
    int from = random.nextInt(Math.max(1, other.length));
    return Arrays.copyOfRange(other, from, Math.min(other.length, from + length));
  }

  private static byte[] repeated(byte value, RandomGenerator random) {
    byte[] run = new byte[1 + random.nextInt(MAX_INSERTED)];
    Arrays.fill(run, value);
    return run;
  }

  private static void overwrite(byte[] bytes, int at, byte[] with) {
    System.arraycopy(with, 0, bytes, at, Math.min(with.length, bytes.length - at));
  }

  static byte[] replaced(byte[] bytes, int at, int length, byte[] with) {
    byte[] changed = new byte[bytes.length - length + with.length];
    System.arraycopy(bytes, 0, changed, 0, at);
    System.arraycopy(with, 0, changed, at, with.length);
    System.arraycopy(bytes, at + length, changed, at + with.length, bytes.length - at - length);
    return changed;
  }
}
