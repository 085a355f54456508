package dev.psm.core.io.numpy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.psm.core.UserError;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Damaged files by the thousand. Each is read as it was meant or refused in words; no other
 * exception, no memory beyond the limit that was given, and no more bytes asked for than a few
 * times the file, which is what a hang would do. The number of cases is {@code -Dpsm.fuzz.cases}.
 */
final class NpzFuzzTest {
  private static final int CASES = Integer.getInteger("psm.fuzz.cases", 100_000);
  private static final long SEED = Long.getLong("psm.fuzz.seed", 1);
  private static final NpzLimits LIMITS = new NpzLimits(1 << 16, 1 << 20, 64);

  /** The limit for a whole array, and what reading takes beside it: buffers, headers, errors. */
  private static final long MOST_MEMORY = LIMITS.arrayBytes() + (1 << 18);

  private final com.sun.management.ThreadMXBean memory =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final long thread = Thread.currentThread().getId();
  private int refused;

  @Test
  void damagedArchivesAreRefusedOrReadTheSame() throws IOException {
    byte[][] sound = {
      fixture("episode.npz"),
      fixture("shapes.npz"),
      fixture("zip64.npz"),
      fixture("descriptors.npz"),
      fixture("descriptors32.npz"),
      HostileZip.pair().bytes(),
      HostileZip.deflated().bytes(),
    };
    for (int file = 0; file < sound.length; file++) {
      Map<String, String> intact = readAll(sound[file]);
      Mutator mutator = new Mutator(SEED + file, sound);
      for (int i = 0; i < CASES / 10; i++) {
        byte[] damaged = mutator.damage(sound[file]);
        Map<String, String> read = tryToRead(damaged, "archive " + file + ", case " + i);
        if (read != null && !read.equals(intact)) {
          assertRenamed(intact, read, damaged, "archive " + file + ", case " + i);
        }
      }
    }
    assertTrue(refused > CASES / 2, "only " + refused + " refusals");
  }

  /**
   * No checksum of zip covers a name, so one that is damaged alike in both of its places is simply
   * another name; runs of millions meet it. The arrays must still be the same.
   */
  private static void assertRenamed(
      Map<String, String> intact, Map<String, String> read, byte[] bytes, String which) {
    assertEquals(
        intact.values().stream().sorted().toList(),
        read.values().stream().sorted().toList(),
        which);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    for (String name : read.keySet()) {
      byte[] raw = (name + ZipNames.SUFFIX).getBytes(StandardCharsets.UTF_8);
      String found = new String(raw, StandardCharsets.ISO_8859_1);
      assertTrue(text.indexOf(found) < text.lastIndexOf(found), which + ", " + name);
    }
  }

  /** Behind a checksum that agrees, so that the damage reaches the header. */
  @Test
  void damagedArraysInSoundArchivesAreRefusedOrHoldWhatTheyPromise() throws IOException {
    byte[][] sound = {
      fixture("matrix.npy"),
      fixture("version2.npy"),
      fixture("structured.npy"),
      fixture("fortran.npy")
    };
    for (int file = 0; file < sound.length; file++) {
      Mutator mutator = new Mutator(SEED + file, sound);
      for (int i = 0; i < CASES / 20; i++) {
        byte[] damaged = mutator.damage(sound[file]);
        byte[] zip = NpzWriter.stored().add("x", damaged).toBytes();
        tryToRead(zip, "array " + file + ", case " + i);
      }
    }
  }

  @Test
  void damagedSingleArraysAreRefusedOrHoldWhatTheyPromise() throws IOException {
    byte[] sound = fixture("matrix.npy");
    Mutator mutator = new Mutator(SEED, sound);
    for (int i = 0; i < CASES / 10; i++) {
      byte[] damaged = mutator.damage(sound);
      try (Npy npy = Npy.open(Memory.FILE, new Memory(damaged), LIMITS)) {
        assertTrue(npy.header().dataBytes() < damaged.length, "case " + i);
        assertEquals(npy.header().elements(), npy.doubles().length, "case " + i);
      } catch (UserError e) {
        check(e);
      } catch (RuntimeException | Error e) {
        fail("case " + i, e);
      }
    }
  }

  @Test
  void everySingleFlippedBitIsSeenOrHarmless() throws IOException {
    for (String name : new String[] {"episode.npz", "zip64.npz", "descriptors.npz"}) {
      byte[] sound = fixture(name);
      Map<String, String> intact = readAll(sound);
      for (int bit = 0; bit < sound.length * 8; bit++) {
        byte[] damaged = sound.clone();
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        Map<String, String> read = tryToRead(damaged, name + ", bit " + bit);
        if (read != null) {
          assertEquals(intact, read, name + ", bit " + bit);
        }
      }
    }
  }

  /** What the archive holds, or null where it is refused. */
  private Map<String, String> tryToRead(byte[] bytes, String which) {
    Memory source = new Memory(bytes);
    long before = memory.getThreadAllocatedBytes(thread);
    Map<String, String> read = null;
    try {
      read = readAll(source);
    } catch (UserError e) {
      check(e);
      refused++;
    } catch (RuntimeException | Error e) {
      fail(which, e);
    }
    long taken = memory.getThreadAllocatedBytes(thread) - before;
    assertTrue(taken < MOST_MEMORY, which + " took " + taken + " bytes");
    assertTrue(source.served() < 6L * bytes.length + 1000, which + " read " + source.served());
    return read;
  }

  private static void check(UserError e) {
    assertTrue(e.getMessage().startsWith("memory.npz"), e.getMessage());
    assertTrue(e.getMessage().length() < 700, e.getMessage());
    assertTrue(e.getMessage().chars().noneMatch(Character::isISOControl), e.getMessage());
  }

  private static Map<String, String> readAll(byte[] bytes) {
    return readAll(new Memory(bytes));
  }

  private static Map<String, String> readAll(Memory source) {
    Map<String, String> all = new TreeMap<>();
    try (Npz npz = Npz.open(Memory.FILE, source, LIMITS)) {
      for (String name : npz.names()) {
        NpyHeader header = npz.header(name);
        int values =
            header.type().isFloating()
                ? Arrays.hashCode(npz.doubles(name))
                : Arrays.hashCode(npz.longs(name));
        try (NpyRows rows = npz.rows(name)) {
          double[] row = new double[(int) header.rowElements()];
          long count = 0;
          while (header.type().isFloating() && rows.read(row, 0, 1) > 0) {
            count++;
          }
          all.put(name, header + " " + values + " " + count);
        }
      }
    }
    return all;
  }

  private static byte[] fixture(String name) throws IOException {
    return Files.readAllBytes(NumpyFixturesTest.fixture(name));
  }

  /** Bit flips, truncations, splices, runs of one value, and numbers that are often wrong. */
  private static final class Mutator {
    private static final int[] NUMBERS = {0, 1, -1, 0xffff, 0x7fffffff, 0x80000000, 0x04034b50};

    private final Random random;
    private final byte[][] others;

    Mutator(long seed, byte[]... others) {
      this.random = new Random(seed);
      this.others = others;
    }

    byte[] damage(byte[] sound) {
      byte[] bytes = sound.clone();
      int times = 1 + random.nextInt(3);
      for (int i = 0; i < times && bytes.length > 0; i++) {
        bytes = once(bytes);
      }
      return bytes;
    }

    private byte[] once(byte[] bytes) {
      int at = random.nextInt(bytes.length);
      int length = Math.min(bytes.length - at, 1 + random.nextInt(16));
      switch (random.nextInt(7)) {
        case 0, 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes[at] = (byte) random.nextInt();
        case 3 -> {
          int number = NUMBERS[random.nextInt(NUMBERS.length)];
          for (int i = 0; i < Math.min(4, length); i++) {
            bytes[at + i] = (byte) (number >> (8 * i));
          }
        }
        case 4 -> {
          byte[] other = others[random.nextInt(others.length)];
          int from = random.nextInt(other.length);
          System.arraycopy(other, from, bytes, at, Math.min(length, other.length - from));
        }
        case 5 -> {
          byte[] cut = new byte[bytes.length - length];
          System.arraycopy(bytes, 0, cut, 0, at);
          System.arraycopy(bytes, at + length, cut, at, cut.length - at);
          return cut;
        }
        default -> {
          if (random.nextInt(4) == 0) {
            return Arrays.copyOf(bytes, at);
          }
          byte[] longer = Arrays.copyOf(bytes, bytes.length + length);
          System.arraycopy(bytes, at, longer, at + length, bytes.length - at);
          return longer;
        }
      }
      return bytes;
    }
  }
}
