package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.torch.NativeLibraries;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnpackingProgressTest {
  @Test
  void beginAndEndAreLinesOfALog() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      UnpackingProgress progress = new UnpackingProgress(new Output());
      progress.unpacked(0, 3_000_000);
      progress.unpacked(1_000_000, 3_000_000);
      progress.unpacked(3_000_000, 3_000_000);
      progress.ended();
    } finally {
      System.setErr(before);
    }
    List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
    assertEquals(2, lines.size(), lines.toString());
    assertEquals(
        "psm: unpacking native libraries into %s (3 MB, once)"
            .formatted(NativeLibraries.cache().root()),
        lines.get(0));
    assertTrue(lines.get(1).startsWith("psm: MB 3/3"), lines.get(1));
  }
}
