package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.io.FolderLock;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cache of libraries that are noise, out of two jars. */
@EnabledOnOs(OS.LINUX)
class NativeCacheTest {
  private static final String IN_JAR = "org/bytedeco/noise/linux/";
  private static final int LIBRARIES = 6;
  private static final int BYTES = 2_000_000;

  @TempDir private Path folder;
  private NativeCache cache;
  private List<NativeJar> jars;

  @BeforeEach
  void makeJars() throws IOException {
    cache = new NativeCache(folder.resolve("a b/cache"), NativeCache.Listener.SILENT);
    write(jar("one"), 1);
    write(jar("other"), 2);
    jars = jars(folder);
  }

  @Test
  void processesHaveLinksToLibrariesThatAreUnpackedOnce() throws IOException {
    Told told = new Told();
    try (Opened first = new Opened(listening(told).open(jars));
        Opened second = new Opened(listening(told).open(jars))) {
      assertWhole(first.folder());
      assertWhole(second.folder());
      assertFalse(first.folder().equals(second.folder()));
      assertEquals(3, Files.getAttribute(library(first.folder(), 0), "unix:nlink"));
      assertEquals(2 * LIBRARIES * BYTES, told.unpacked);
      assertEquals(2, cache.content().processes());
    }
    assertEquals(0, cache.content().processes());
    assertEquals(2 * LIBRARIES * BYTES, cache.content().bytes());
  }

  @Test
  void librariesThatWereCutOrDeletedAreUnpackedAgain() throws IOException {
    new Opened(cache.open(jars)).close();
    Path unpacked = cache.root().resolve("natives").resolve(jars.get(0).key());
    Files.write(unpacked.resolve("lib0.so"), new byte[BYTES - 1]);
    Files.delete(unpacked.resolve("lib1.so"));
    Told told = new Told();
    try (Opened again = new Opened(listening(told).open(jars))) {
      assertWhole(again.folder());
      assertEquals(LIBRARIES * BYTES, told.unpacked, "one jar of the two");
    }
  }

  @Test
  void timesFollowTheTimeZoneWithoutUnpacking() throws IOException {
    new Opened(cache.open(jars)).close();
    NativeJar jar = jars.get(0);
    NativeJar.Library east = jar.libraries().get(0);
    NativeJar.Library west =
        new NativeJar.Library(
            east.entry(), east.name(), east.bytes(), east.crc(), east.modified() + 3_600_000);
    try (Opened opened =
        new Opened(cache.open(List.of(new NativeJar(jar.file(), jar.folder(), List.of(west)))))) {
      Path file = library(opened.folder(), 0);
      assertEquals(west.modified(), Files.getLastModifiedTime(file).toMillis());
    }
    NativeJar moved =
        new NativeJar(
            jar.file(),
            jar.folder(),
            Stream.concat(Stream.of(west), jar.libraries().stream().skip(1)).toList());
    Told told = new Told();
    new Opened(listening(told).open(List.of(moved))).close();
    assertEquals(0, told.unpacked);
  }

  @Test
  void aDamagedJarIsNamedAndLeavesNothing() throws IOException {
    byte[] bytes = Files.readAllBytes(jar("other"));
    bytes[bytes.length / 2] ^= 1;
    Files.write(jar("other"), bytes);
    UserError error = assertThrows(UserError.class, () -> cache.open(jars));
    assertTrue(error.getMessage().startsWith(jar("other") + " is damaged"), error.getMessage());
    assertEquals(UserError.Kind.FAILED, error.kind());
    assertEquals(List.of(jars.get(0).key()), names(cache.root().resolve("natives")));
    assertFalse(Files.exists(cache.root().resolve("processes")));
  }

  /** Bytes that deflate takes for something else than what it wrote. */
  @Test
  void aJarThatCannotBeInflatedIsDamagedToo() throws IOException {
    Path file = jar("text");
    String name = IN_JAR + "lib0.so";
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write("every line is the same\n".repeat(10_000).getBytes(StandardCharsets.UTF_8));
    }
    byte[] bytes = Files.readAllBytes(file);
    int localHeader = 30 + name.length();
    Arrays.fill(bytes, localHeader, localHeader + 20, (byte) 0xff);
    Files.write(file, bytes);
    NativeJar jar = NativeJar.open(file, IN_JAR, any -> true, Map.of());
    Told told = new Told();
    UserError error = assertThrows(UserError.class, () -> listening(told).open(List.of(jar)));
    assertTrue(error.getMessage().startsWith(file + " is damaged: "), error.getMessage());
    assertTrue(error.getMessage().contains("delete the jar"), error.getMessage());
    assertEquals(1, told.endings);
    assertEquals(List.of(), names(cache.root().resolve("natives")));
  }

  /** A name that is taken fails where a file system without hard links does. */
  @Test
  void linksThatCannotBeMadeAreToldAndLeaveNothing() throws IOException {
    new Opened(cache.open(jars)).close();
    cache.content();
    List<NativeJar> twice = List.of(jars.get(0), jars.get(0));
    String said = assertThrows(UserError.class, () -> cache.open(twice)).getMessage();
    assertTrue(said.startsWith("cannot use the native libraries in " + cache.root()), said);
    assertTrue(said.contains("no hard link to it can be made"), said);
    assertTrue(said.contains("the file system has none, or the file belongs to another"), said);
    assertTrue(said.contains("set PSM_CACHE to another folder"), said);
    assertFalse(said.contains("MB"), said);
    assertEquals(List.of(), names(cache.root().resolve("processes")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "content", "clear"})
  @Timeout(60)
  @Tag("slow")
  void whoeverWaitsSaysSo(String action) {
    FolderLock held = FolderLock.take(cache.root(), "busy");
    int[] waits = {0};
    NativeCache waiting =
        listening(
            new Told() {
              @Override
              public void waiting() {
                waits[0]++;
                held.close();
              }
            });
    switch (action) {
      case "open" -> new Opened(waiting.open(jars)).close();
      case "content" -> waiting.content();
      default -> waiting.clear();
    }
    assertEquals(1, waits[0]);
  }

  @Test
  void clearingDisturbsNobody() throws IOException {
    try (Opened running = new Opened(cache.open(jars))) {
      cache.clear();
      assertEquals(0, cache.content().bytes());
      assertEquals(1, cache.content().processes());
      assertWhole(running.folder());
    }
    try (Opened next = new Opened(cache.open(jars))) {
      assertWhole(next.folder());
    }
  }

  @Test
  void aFullDiskIsToldWithWhatIsNeeded() {
    long much = 1L << 60;
    NativeJar.Library huge = new NativeJar.Library(IN_JAR + "lib0.so", "lib0.so", much, 0, 0);
    NativeJar jar = new NativeJar(jar("one"), IN_JAR, List.of(huge));
    String said = assertThrows(UserError.class, () -> open(jar)).getMessage();
    assertTrue(said.startsWith("cannot unpack native libraries into " + cache.root()), said);
    assertTrue(said.contains("the disk is full; they need 1152921504607 MB, and "), said);
    assertTrue(said.contains(" MB are free there"), said);
    assertTrue(said.contains("set PSM_CACHE to another folder"), said);
    assertEquals(0, cache.content().bytes());
  }

  @Test
  void aPlaceThatCannotBeAFolderIsTold() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    cache = new NativeCache(file.resolve("cache"), NativeCache.Listener.SILENT);
    String said = assertThrows(UserError.class, () -> open(jars.get(0))).getMessage();
    assertTrue(said.startsWith("cannot unpack native libraries into " + cache.root()), said);
    assertTrue(said.contains("they need 12 MB"), said);
    assertTrue(said.contains("set PSM_CACHE"), said);
  }

  /** Each kill comes when the child has written a library more than the one before. */
  @Test
  void whoeverIsKilledLeavesACacheThatWorks() throws Exception {
    Path unfinished = cache.root().resolve("natives").resolve(jars.get(0).key() + ".unfinished");
    for (int i = 0; i < LIBRARIES; i++) {
      cache.clear();
      Path awaited = unfinished.resolve("lib" + i + ".so");
      Process child = child();
      while (child.isAlive() && !Files.exists(awaited)) {
        Thread.onSpinWait();
      }
      child.destroyForcibly();
      assertTrue(child.waitFor(1, TimeUnit.MINUTES));
      try (Opened opened = new Opened(cache.open(jars))) {
        assertWhole(opened.folder());
        assertEquals(2, names(cache.root().resolve("natives")).size());
        assertEquals(1, names(cache.root().resolve("processes")).size());
      }
    }
  }

  @Test
  void manyAtOnceUnpackOnce() throws Exception {
    List<Process> children = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      children.add(child());
    }
    int unpackers = 0;
    for (Process child : children) {
      String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(child.waitFor(1, TimeUnit.MINUTES));
      assertEquals(0, child.exitValue(), said);
      unpackers += said.contains("unpacked") ? 1 : 0;
    }
    assertEquals(1, unpackers);
    assertEquals(0, cache.content().processes());
  }

  private NativeCache listening(NativeCache.Listener listener) {
    return new NativeCache(cache.root(), listener);
  }

  private void open(NativeJar jar) {
    cache.open(List.of(jar));
  }

  /** A process that opens the cache and looks whether all is there. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws IOException {
      Told told = new Told();
      NativeCache cache = new NativeCache(Path.of(arguments[1]), told);
      try (Opened opened = new Opened(cache.open(jars(Path.of(arguments[0]))))) {
        assertWhole(opened.folder());
      }
      System.out.println(told.unpacked > 0 ? "unpacked" : "found");
    }
  }

  private Process child() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Child.class.getName(),
            folder.toString(),
            cache.root().toString())
        .redirectErrorStream(true)
        .start();
  }

  private static class Told implements NativeCache.Listener {
    private long unpacked;
    private int endings;

    @Override
    public void waiting() {}

    @Override
    public void unpacked(long bytes, long total) {
      unpacked = bytes;
    }

    @Override
    public void ended() {
      endings++;
    }
  }

  /** A process's folder, which this process may leave before its end. */
  private record Opened(NativeCache.ProcessFolder process) implements AutoCloseable {
    Path folder() {
      return process.folder();
    }

    @Override
    public void close() {
      process.lock().close();
    }
  }

  private Path jar(String name) {
    return folder.resolve(name + ".jar");
  }

  private static List<NativeJar> jars(Path folder) throws IOException {
    return List.of(
        NativeJar.open(folder.resolve("one.jar"), IN_JAR, name -> name.endsWith(".so"), Map.of()),
        NativeJar.open(
            folder.resolve("other.jar"), IN_JAR, name -> name.endsWith(".so"), Map.of()));
  }

  private static byte[] noise(int seed, int library) {
    byte[] bytes = new byte[BYTES];
    new Random(100L * seed + library).nextBytes(bytes);
    return bytes;
  }

  private static void write(Path file, int seed) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry(IN_JAR + "include/lib0.so"));
      zip.putNextEntry(new ZipEntry(IN_JAR + "notes.txt"));
      for (int i = 0; i < LIBRARIES; i++) {
        zip.putNextEntry(new ZipEntry(IN_JAR + "lib" + i + ".so"));
        zip.write(noise(seed, i));
      }
    }
  }

  private static Path library(Path folder, int number) {
    return folder.resolve("one.jar").resolve(IN_JAR).resolve("lib" + number + ".so");
  }

  private static void assertWhole(Path folder) throws IOException {
    for (String jar : List.of("one", "other")) {
      Path libraries = folder.resolve(jar + ".jar").resolve(IN_JAR);
      assertEquals(LIBRARIES, names(libraries).size());
      for (int i = 0; i < LIBRARIES; i++) {
        assertArrayEquals(
            noise(jar.equals("one") ? 1 : 2, i),
            Files.readAllBytes(libraries.resolve("lib" + i + ".so")));
      }
    }
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
