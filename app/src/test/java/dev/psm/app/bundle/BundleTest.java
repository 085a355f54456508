package dev.psm.app.bundle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.lab.Progress;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bundles of two small jars, with a program that only looks like jlink. */
@EnabledOnOs(OS.LINUX)
class BundleTest {
  private static final int PART = 64 << 10;

  @TempDir private Path folder;
  private Path out;
  private Path jlink;
  private List<Path> jars;

  @BeforeEach
  void makeParts() throws IOException {
    out = folder.resolve("made/bundle");
    // The Java it makes prints its arguments and where it looks for libraries.
    jlink =
        program(
            """
            #!/bin/sh
            while [ "$1" != --output ]; do shift; done
            mkdir -p "$2/bin" "$2/legal"
            echo 'JAVA_VERSION="17.0.1"' >"$2/release"
            printf '#!/bin/sh\\necho "$@"\\necho "libraries $LD_LIBRARY_PATH"\\necho "cache $PSM_CACHE"\\n' >"$2/bin/java"
            chmod +x "$2/bin/java"
            ln -s ../release "$2/legal/link"
            """);
    byte[] noise = new byte[200_000];
    new Random(0).nextBytes(noise);
    jars =
        List.of(
            Files.write(folder.resolve("psm-app.jar"), noise),
            Files.writeString(folder.resolve("other.jar"), "other"));
  }

  @Test
  void aFolderHoldsLauncherJarsRuntimeAndATrueManifest() throws Exception {
    Bundle.Result result = make(OptionalLong.empty(), false);
    assertEquals(0, result.parts());
    assertTrue(result.bytes() > 200_000);
    assertArrayEquals(
        Files.readAllBytes(jars.get(0)), Files.readAllBytes(out.resolve("lib/psm-app.jar")));
    Said check = run(out, "sha256sum", "-c", "--quiet", "--strict", "manifest.sha256");
    assertEquals(0, check.code(), check.text());
    String manifest = Files.readString(out.resolve("manifest.sha256"));
    for (String name : List.of("psm", "settings.sh", "lib/other.jar", "jre/bin/java")) {
      assertTrue(manifest.contains("  " + name + "\n"), manifest);
    }
    assertOnlyTheBundleIsThere();
  }

  @Test
  void theLauncherRunsThroughALinkFromAnywhere() throws Exception {
    make(OptionalLong.empty(), false);
    Path link = Files.createSymbolicLink(folder.resolve("link"), out.resolve("psm"));
    Said said = run(folder, "env", "-i", "PATH=/usr/bin:/bin", link.toString(), "doctor", "a b");
    assertEquals(0, said.code(), said.text());
    Path real = out.toRealPath();
    assertTrue(
        said.text().contains("-cp " + real + "/lib/* dev.psm.app.Psm doctor a b"), said.text());
    assertTrue(said.text().contains("-Dorg.bytedeco.openblas.load=mkl"), said.text());
    assertTrue(said.text().contains("cache " + real + "/cache\n"), said.text());
    assertTrue(said.text().contains("libraries " + real + "/native"), said.text());
  }

  @Test
  void aBundleForGpusRunsTheirTests() throws Exception {
    make(OptionalLong.empty(), false);
    String psm = out.resolve("psm").toString();
    Said processor = run(folder, psm, "test", "--device", "cuda");
    assertEquals(1, processor.code());
    assertTrue(processor.text().contains("those for linux-x86_64-gpu"), processor.text());
    jars =
        List.of(jars.get(0), Files.writeString(folder.resolve("psm-agents-1-tests.jar"), "tests"));
    make(OptionalLong.empty(), true);
    Said said = run(folder, psm, "test", "--device", "cuda", "Steps");
    assertEquals(0, said.code(), said.text());
    assertTrue(said.text().contains("/lib/* dev.psm.agents.GpuTests --device cuda Steps\n"));
    Said others = run(folder, "env", "PSM_DEVICE=cuda", psm, "test");
    assertEquals(2, others.code());
    assertTrue(others.text().contains("test --device cuda"), others.text());
  }

  @Test
  void aCacheThatIsNamedIsTaken() throws Exception {
    make(OptionalLong.empty(), false);
    Said said = run(folder, "env", "PSM_CACHE=/mine", out.resolve("psm").toString(), "doctor");
    assertTrue(said.text().contains("cache /mine\n"), said.text());
    assertFalse(Files.exists(out.resolve("cache")));
  }

  @Test
  void partsJoinToTheSameFolder() throws Exception {
    Bundle.Result result = make(OptionalLong.of(PART), false);
    assertEquals(4, result.parts());
    for (int i = 0; i < 3; i++) {
      assertEquals(PART, Files.size(out.resolve("psm-bundle.part-00" + i)));
    }
    assertEquals(0, run(out, "sha256sum", "-c", "--quiet", "--strict", "manifest.sha256").code());
    Said joined = run(folder, out.resolve("join").toString(), "joined");
    assertEquals(0, joined.code(), joined.text());
    Path unpacked = folder.resolve("joined");
    assertEquals(
        0, run(unpacked, "sha256sum", "-c", "--quiet", "--strict", "manifest.sha256").code());
    assertTrue(Files.isExecutable(unpacked.resolve("psm")));
    assertTrue(Files.isExecutable(unpacked.resolve("jre/bin/java")));
    assertFalse(Files.isExecutable(unpacked.resolve("lib/other.jar")));
    assertTrue(Files.isSymbolicLink(unpacked.resolve("jre/legal/link")));
    assertOnlyTheBundleIsThere();
  }

  @Test
  @Tag("slow")
  void moreThanAThousandPartsAreJoinedInTheirOrder() throws Exception {
    Bundle.Result result = make(OptionalLong.of(200), false);
    assertTrue(result.parts() > 1010, result.parts() + " parts");
    Said joined = run(folder, "sh", out.resolve("join").toString(), "joined");
    assertEquals(0, joined.code(), joined.text());
    Said check =
        run(folder.resolve("joined"), "sha256sum", "-c", "--quiet", "--strict", "manifest.sha256");
    assertEquals(0, check.code(), check.text());
  }

  @Test
  void joiningNamesEveryMissingAndDamagedPartAndUnpacksNothing() throws Exception {
    make(OptionalLong.of(PART), false);
    Path damaged = out.resolve("psm-bundle.part-001");
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[77] ^= 1;
    Files.write(damaged, bytes);
    Files.delete(out.resolve("psm-bundle.part-002"));
    Said said = run(folder, "sh", out.resolve("join").toString(), "joined");
    assertEquals(1, said.code(), said.text());
    assertTrue(said.text().contains("psm-bundle.part-001 is damaged"), said.text());
    assertTrue(said.text().contains("psm-bundle.part-002 is missing"), said.text());
    assertFalse(Files.exists(folder.resolve("joined")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"joined/", "joined//"})
  void aFolderMayBeWrittenWithSlashes(String name) throws Exception {
    make(OptionalLong.of(PART), false);
    Said said = run(folder, "sh", out.resolve("join").toString(), name);
    assertEquals(0, said.code(), said.text());
    assertTrue(Files.isExecutable(folder.resolve("joined/psm")));
    assertTrue(said.text().contains("start with joined/psm"), said.text());
  }

  @Test
  void theFolderMayBeTheOneWeAreIn() throws Exception {
    make(OptionalLong.of(PART), false);
    Path here = Files.createDirectory(folder.resolve("here"));
    Said said = run(here, "sh", out.resolve("join").toString(), ".");
    assertEquals(0, said.code(), said.text());
    assertTrue(Files.isExecutable(here.resolve("psm")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a:b"})
  void aFolderThatCannotBeIsRefused(String name) throws Exception {
    make(OptionalLong.of(PART), false);
    Said said = run(folder, "sh", out.resolve("join").toString(), name);
    assertEquals(2, said.code(), said.text());
    assertEquals(1, said.text().lines().count(), said.text());
  }

  @Test
  void joiningLeavesWhatIsThereAlone() throws Exception {
    make(OptionalLong.of(PART), false);
    Files.createDirectories(folder.resolve("joined/mine"));
    Said said = run(folder, "sh", out.resolve("join").toString(), "joined");
    assertEquals(1, said.code());
    assertTrue(said.text().contains("not empty"), said.text());
    assertTrue(Files.exists(folder.resolve("joined/mine")));
  }

  @Test
  void forceReplacesABundleAndNothingElse() throws Exception {
    make(OptionalLong.empty(), false);
    UserError again = assertThrows(UserError.class, () -> make(OptionalLong.of(PART), false));
    assertTrue(again.getMessage().contains("--force"), again.getMessage());
    assertTrue(Files.exists(out.resolve("lib")));
    make(OptionalLong.of(PART), true);
    assertFalse(Files.exists(out.resolve("lib")));
    assertTrue(Files.exists(out.resolve("join")));
    assertOnlyTheBundleIsThere();

    Path mine = Files.createDirectories(folder.resolve("mine"));
    Files.writeString(mine.resolve("thesis.txt"), "years of work");
    UserError error = assertThrows(UserError.class, () -> Bundle.checkTarget(mine, true));
    assertTrue(
        error.getMessage().contains("is not a bundle but holds other files, such as thesis.txt"),
        error.getMessage());
  }

  @Test
  void forceRefusesWhatSomebodyPutIntoABundle() throws Exception {
    for (OptionalLong part : List.of(OptionalLong.empty(), OptionalLong.of(PART))) {
      make(part, true);
      // Made on the first run.
      Files.createDirectories(out.resolve("cache/natives"));
      Bundle.checkTarget(out, true);
      Path mine = Files.writeString(out.resolve("results.csv"), "years of work");
      UserError error =
          assertThrows(UserError.class, () -> make(OptionalLong.empty(), true), part.toString());
      assertTrue(error.getMessage().contains("holds results.csv"), error.getMessage());
      assertEquals(UserError.Kind.INVALID, error.kind());
      UserError unforced = assertThrows(UserError.class, () -> Bundle.checkTarget(out, false));
      assertFalse(unforced.getMessage().contains("--force"), unforced.getMessage());
      assertTrue(Files.exists(mine));
      Files.delete(mine);
    }
  }

  @Test
  void whatComesThereInTheMeantimeIsNotDeleted() throws Exception {
    make(OptionalLong.empty(), false);
    jlink = program(Files.readString(jlink) + "touch '" + out.resolve("results.csv") + "'\n");
    assertThrows(UserError.class, () -> make(OptionalLong.empty(), true));
    assertTrue(Files.exists(out.resolve("results.csv")));
    assertOnlyTheBundleIsThere();
  }

  @Test
  void anEmptyFolderIsTaken() throws Exception {
    Files.createDirectories(out);
    make(OptionalLong.empty(), false);
    assertTrue(Files.exists(out.resolve("psm")));
  }

  @Test
  void aFailureLeavesNothingBehind() throws Exception {
    jlink = program("#!/bin/sh\necho no modules >&2\nexit 3\n");
    UserError error = assertThrows(UserError.class, () -> make(OptionalLong.empty(), false));
    assertTrue(error.getMessage().contains("no modules"), error.getMessage());
    assertNothingIsThere();
  }

  @Test
  void aRuntimeWithoutJlinkIsNamed() throws Exception {
    jlink = folder.resolve("absent/jlink");
    UserError error = assertThrows(UserError.class, () -> make(OptionalLong.empty(), false));
    assertTrue(error.getMessage().contains("not a whole JDK"), error.getMessage());
    assertNothingIsThere();
  }

  @Test
  void stoppingEndsJlinkAndLeavesNothingBehind() throws Exception {
    jlink = program("#!/bin/sh\nexec sleep 60\n");
    Bundle bundle = new Bundle(jars, jlink, null, OptionalLong.empty());
    long start = System.nanoTime();
    assertThrows(
        Stopped.class,
        () ->
            bundle.make(
                out, false, Progress.SILENT, () -> System.nanoTime() - start > 200_000_000));
    assertNothingIsThere();
  }

  @Test
  void whatAKilledOneLeftIsRemovedByTheNext() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, run(folder, "mkfifo", pipe.toString()).code());
    Path waiting = program("#!/bin/sh\nexec cat '" + pipe + "'\n");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                out.toString(),
                waiting.toString())
            .inheritIO()
            .start();
    // It opens when jlink reads, which comes after the folder was made.
    try (OutputStream jlinkReads = Files.newOutputStream(pipe)) {
      child.destroyForcibly().waitFor();
      try (Stream<Path> files = Files.list(out.getParent())) {
        assertEquals(1, files.count(), "the kill came while it was made");
      }
    }
    makeParts();
    make(OptionalLong.empty(), false);
    assertOnlyTheBundleIsThere();
  }

  /** Makes a bundle in a process of its own. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) {
      new Bundle(List.of(), Path.of(arguments[1]), null, OptionalLong.empty())
          .make(Path.of(arguments[0]), false, Progress.SILENT, () -> false);
    }
  }

  /** Whoever deletes the folder must not find somebody writing there. */
  @Test
  void aStoppedJlinkIsGone() throws Exception {
    // It fills much memory, so that its end takes a while, and then waits at a full pipe.
    jlink =
        program(
            """
            #!/bin/sh
            mkfifo "${0%/*}/pipe"
            exec dd if=/dev/zero bs=200M 1<>"${0%/*}/pipe"
            """);
    AtomicReference<ProcessHandle> process = new AtomicReference<>();
    long start = System.nanoTime();
    BooleanSupplier stop =
        () -> {
          process.set(ProcessHandle.current().children().findFirst().orElseThrow());
          return System.nanoTime() - start > 500_000_000;
        };
    assertThrows(Stopped.class, () -> JavaRuntime.make(jlink, folder.resolve("jre"), stop));
    assertFalse(process.get().isAlive());
  }

  @Test
  void namesLongerThanAHeaderAreCutAtAFolder() throws Exception {
    Path tree = Files.createDirectories(folder.resolve("tree/" + "long-name/".repeat(14)));
    Files.writeString(tree.resolve("file"), "content");
    Path unpacked = Files.createDirectory(folder.resolve("unpacked"));
    new StagingFolder(folder.resolve("tree"), () -> false)
        .archive(Files.newOutputStream(folder.resolve("tree.tar")), Progress.SILENT);
    Said said = run(unpacked, "tar", "-xf", folder.resolve("tree.tar").toString());
    assertEquals(0, said.code(), said.text());
    assertEquals(
        "content", Files.readString(unpacked.resolve("long-name/".repeat(14)).resolve("file")));
  }

  private Bundle.Result make(OptionalLong part, boolean force) {
    return new Bundle(jars, jlink, null, part).make(out, force, Progress.SILENT, () -> false);
  }

  private Path program(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("jlink"), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  private void assertOnlyTheBundleIsThere() throws IOException {
    try (Stream<Path> files = Files.list(out.getParent())) {
      assertEquals(List.of(out), files.toList());
    }
  }

  private void assertNothingIsThere() throws IOException {
    try (Stream<Path> files = Files.list(out.getParent())) {
      assertEquals(List.of(), files.toList());
    }
  }

  private record Said(int code, String text) {}

  private static Said run(Path where, String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(where.toFile()).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    return new Said(process.exitValue(), text);
  }
}
