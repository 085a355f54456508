package dev.psm.bench.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.lab.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FuzzBenchTest {
  private static final int CASES = 2000;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void damagedFilesAreReadOrRefusedByName(FuzzKind kind) {
    FuzzBench.Result result =
        FuzzBench.run(List.of(kind), CASES, 7, folder.resolve("findings"), Progress.SILENT);
    assertEquals(0, result.findings(), result.text());
    JsonNode counts = result.json().at("/kinds/0");
    assertEquals(CASES, counts.get("read").asLong() + counts.get("refused").asLong());
    // Both ways out are well trodden, or the damage would show little.
    assertTrue(counts.get("read").asLong() > CASES / 100, result.text());
    assertTrue(counts.get("refused").asLong() > CASES / 3, result.text());
  }

  @Test
  void everyBrokenPromiseIsFoundAndTheSameOnesAreCounted() {
    FuzzRun run = new FuzzRun(FuzzKind.TEXT, List.of(new Careless()), 0);
    run.run(10, Progress.SILENT);
    List<String> found =
        run.findings().stream()
            // A gigabyte takes long to clear where others want the cores too.
            .filter(finding -> !finding.what().startsWith("took"))
            .map(finding -> finding.number() + " x" + finding.count() + " " + finding.what())
            .toList();
    assertEquals(4, found.size(), found.toString());
    assertTrue(found.get(0).startsWith("0 x3 java.lang.IllegalStateException: 0 at "), found + "");
    assertTrue(found.get(1).startsWith("1 x3 refused without a word about which"), found + "");
    assertTrue(found.get(2).startsWith("2 x2 java.lang.StackOverflowError"), found + "");
    assertTrue(found.get(3).startsWith("3 x2 allocated 1"), found + "");
    assertEquals(2, run.accepted());
    assertEquals(3, run.refused());
  }

  @ParameterizedTest
  @EnumSource
  void theSameNumbersGiveTheSameDamage(FuzzKind kind) {
    for (FuzzTarget target : kind.targets(folder)) {
      byte[] first = target.draw(Seeds.generator(3));
      assertArrayEquals(first, target.draw(Seeds.generator(3)), target.name());
      List<byte[]> others = new ArrayList<>();
      for (int seed = 4; seed < 14; seed++) {
        others.add(target.draw(Seeds.generator(seed)));
      }
      assertTrue(others.stream().anyMatch(any -> !Arrays.equals(any, first)), target.name());
    }
  }

  /** Breaks every promise in turn. */
  private static final class Careless implements FuzzTarget {
    private int reads;

    @Override
    public String name() {
      return "careless";
    }

    @Override
    public byte[] draw(RandomGenerator random) {
      return new byte[4];
    }

    @Override
    public String place() {
      return "x.txt";
    }

    @Override
    public void read(byte[] contents) {
      switch (reads++ % 4) {
        case 0 -> throw new IllegalStateException("0");
        case 1 -> throw UserError.invalid("something is wrong somewhere");
        case 2 -> read(contents, 0);
        default -> {
          for (int i = 0; i < 20; i++) {
            contents = new byte[1 << 26];
          }
        }
      }
    }

    @SuppressWarnings("InfiniteRecursion")
    private int read(byte[] contents, int depth) {
      return read(contents, depth + 1) + 1;
    }
  }
}
