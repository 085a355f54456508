package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class BundleCommandTest {
  @TempDir private Path folder;

  @Test
  void anUnknownPlatformNamesTheNearest() {
    Cli.run("bundle", "--out", folder.resolve("b"), "--platform", "linux-x86_64-gpus")
        .refused("--platform", "linux-x86_64-gpu");
  }

  @Test
  void aBadSizeIsNamed() {
    Cli.run("bundle", "--out", folder.resolve("b"), "--split", "60X").refused("--split", "60M");
  }

  @Test
  void aFolderWithSomethingInItIsLeftAlone() throws IOException {
    Files.createFile(folder.resolve("mine"));
    Cli.run("bundle", "--out", folder)
        .refused("is not a bundle but holds other files, such as mine");
    Cli.run("bundle", "--out", folder, "--force")
        .refused("is not a bundle but holds other files, such as mine");
    Cli.run("bundle", "--out", folder.resolve("mine")).refused("is a file");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aClassPathThatWasNotBuiltIsNamed() {
    // The launcher says where; the tests have none.
    Cli.Result result =
        Cli.run("bundle", "--out", folder.resolve("b"), "--platform", "linux-x86_64-gpu");
    assertEquals(1, result.code());
    assertTrue(result.err().contains("./psm bundle --platform linux-x86_64-gpu"), result.err());
    result = Cli.run("bundle", "--out", folder.resolve("b"), "--with-spark");
    assertEquals(1, result.code());
    assertTrue(result.err().contains("--platform linux-x86_64 --with-spark"), result.err());
  }
}
