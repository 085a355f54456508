package dev.psm.mujoco;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PythonPackagesTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path folder;

  /** What stands for an interpreter: a script. */
  private String interpreter(String script) throws IOException {
    Path file = folder.resolve("python3");
    Files.writeString(file, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file.toString();
  }

  @Test
  void whatTheInterpreterTellsIsTaken() throws IOException {
    assertEquals(
        List.of(Path.of("/a b"), Path.of("/c")),
        PythonPackages.folders(interpreter("echo noise >&2; echo '/a b:/c'"), LONG));
  }

  /** Packages' start-up hooks may run anything: they and the environment are left out. */
  @Test
  void noCodeOfPackagesIsRun() throws IOException {
    Path said = folder.resolve("said");
    PythonPackages.folders(interpreter("echo \"$1 $2 $3\" > " + said), LONG);
    assertEquals("-I -S -c\n", Files.readString(said));
  }

  @Test
  void oneThatFailsOrIsNotThereHasNone() throws IOException {
    assertEquals(List.of(), PythonPackages.folders(interpreter("echo /a; exit 3"), LONG));
    assertEquals(List.of(), PythonPackages.folders(folder.resolve("none").toString(), LONG));
  }

  @Test
  void oneThatHangsIsGivenUpAndEnded() throws IOException {
    Path pid = folder.resolve("pid");
    String hanging = interpreter("sleep 600 & echo $! > %s; wait".formatted(pid));
    assertEquals(List.of(), PythonPackages.folders(hanging, Duration.ofSeconds(1)));
    assertTrue(Files.exists(pid), "it was started");
    long child = Long.parseLong(Files.readString(pid).strip());
    ProcessHandle.of(child).ifPresent(process -> process.onExit().join());
    assertFalse(ProcessHandle.of(child).map(ProcessHandle::isAlive).orElse(false));
  }
}
