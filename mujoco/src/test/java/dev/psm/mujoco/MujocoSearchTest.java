package dev.psm.mujoco;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Platform;
import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order in which the library is looked for, with made-up folders and a made-up loader. */
class MujocoSearchTest {
  @TempDir Path folder;
  private final List<String> asked = new ArrayList<>();
  private boolean pythonAsked;
  private Path packages;
  private Path wheel;

  @BeforeEach
  void installForPython() throws IOException {
    assumeTrue(Platform.isLinux(), "elsewhere libraries have other names");
    packages = folder.resolve("site-packages");
    wheel = Files.createDirectories(packages.resolve("mujoco")).resolve("libmujoco.so.3.14.0");
    Files.createFile(wheel);
  }

  /** A search on a system whose loader knows these names, and every file. */
  private MujocoSearch<String> search(String variable, Set<String> system) {
    return new MujocoSearch<>(
        variable,
        name -> {
          asked.add(name);
          if (!name.startsWith("/") && !system.contains(name)) {
            throw new UnsatisfiedLinkError("Unable to load\nno " + name);
          }
          return name;
        },
        () -> {
          pythonAsked = true;
          return List.of(folder.resolve("nowhere"), folder, packages);
        });
  }

  @Test
  void theVariableComesBeforeEverything() throws IOException {
    Path own = Files.createFile(folder.resolve("libmujoco.so.2.3.7"));
    for (Path named : List.of(own, folder)) {
      MujocoSearch.Found<String> found =
          search(named.toString(), Set.of("libmujoco.so.2.2.2")).find();
      assertEquals(new MujocoSearch.Found<>(own.toString(), "named by MUJOCO_LIBRARY"), found);
    }
    assertEquals(List.of(own.toString(), own.toString()), asked);
    assertFalse(pythonAsked);
  }

  @Test
  void ofTheSystemsTheReferenceVersionWins() {
    Set<String> all = Set.of("mujoco", "libmujoco.so.3.14.0", "libmujoco.so.2.2.2");
    MujocoSearch.Found<String> found = search(" ", all).find();
    assertEquals(
        new MujocoSearch.Found<>("libmujoco.so.2.2.2", "found by the system's loader"), found);
    assertEquals(
        "libmujoco.so.3.14.0",
        search(null, Set.of("mujoco", "libmujoco.so.3.14.0")).find().library());
    assertEquals("mujoco", search(null, Set.of("mujoco")).find().library());
    assertFalse(pythonAsked);
  }

  @Test
  void pythonsPackageIsTheLast() {
    MujocoSearch.Found<String> found = search(null, Set.of()).find();
    assertEquals(new MujocoSearch.Found<>(wheel.toString(), "of python3's package mujoco"), found);
    assertEquals(
        List.of("libmujoco.so.2.2.2", "libmujoco.so.3.14.0", "mujoco", wheel.toString()), asked);
  }

  @Test
  void whereThereIsNoneItSaysWhatToInstall() throws IOException {
    Files.delete(wheel);
    UserError refused = assertThrows(UserError.class, () -> search("", Set.of()).find());
    assertEquals("MuJoCo was not found. " + MujocoLibrary.HOW_TO_INSTALL, refused.getMessage());
    assertTrue(
        refused.getMessage().contains("apt-get install libmujoco2.2.2")
            && refused.getMessage().contains("pip install mujoco==3.14.0")
            && refused.getMessage().contains("MUJOCO_LIBRARY"),
        refused.getMessage());
  }

  @Test
  void aPackageThatCannotBeLoadedIsToldByFileAndReason() {
    MujocoSearch<String> broken =
        new MujocoSearch<>(
            null,
            name -> {
              throw new UnsatisfiedLinkError("Unable to load\n" + name + ": wrong ELF class");
            },
            () -> List.of(packages));
    UserError refused = assertThrows(UserError.class, broken::find);
    assertEquals(
        "python3 has %1$s, which cannot be loaded: %1$s: wrong ELF class. %2$s"
            .formatted(wheel, MujocoLibrary.HOW_TO_INSTALL),
        refused.getMessage());
  }
}
