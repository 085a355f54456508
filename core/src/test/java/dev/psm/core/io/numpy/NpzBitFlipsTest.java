package dev.psm.core.io.numpy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.psm.core.UserError;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Archives with one damaged bit. Each is read as it was meant or refused in words; no other
 * exception, no memory beyond the limit that was given, and no more bytes asked for than a few
 * times the file, which is what a hang would do.
 */
final class NpzBitFlipsTest {
  private static final NpzLimits LIMITS = new NpzLimits(1 << 16, 1 << 20, 64);

  /** The limit for a whole array, and what reading takes beside it: buffers, headers, errors. */
  private static final long MAX_MEMORY = LIMITS.arrayBytes() + (1 << 18);

  private final com.sun.management.ThreadMXBean memory =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final long thread = Thread.currentThread().getId();

  @Test
  void everySingleFlippedBitIsSeenOrHarmless() throws IOException {
    for (String name :
        new String[] {
          "episode.npz", "shapes.npz", "zip64.npz", "descriptors.npz", "descriptors32.npz"
        }) {
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
    } catch (RuntimeException | Error e) {
      fail(which, e);
    }
    long taken = memory.getThreadAllocatedBytes(thread) - before;
    assertTrue(taken < MAX_MEMORY, which + " took " + taken + " bytes");
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
}
