package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Loader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class NativeLibrariesTest {
  /** What it unpacked itself would be a file with one name; every start would do it again. */
  @Test
  void javaCppFindsEveryLibraryUnpacked() throws IOException {
    assertTrue(TorchRuntime.threads() > 0);
    Path folder = NativeLibraries.folder();
    assertEquals(folder, Loader.getCacheDir().toPath());
    List<Path> libraries = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && !file.endsWith(".lock")) {
          libraries.add(file);
          assertTrue((Integer) Files.getAttribute(file, "unix:nlink") > 1, file.toString());
        }
      }
    }
    assertTrue(libraries.stream().anyMatch(file -> file.endsWith("libjnitorch.so")));
  }
}
