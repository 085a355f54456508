package dev.psm.app.bundle;

import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.AtomicFolders;
import dev.psm.core.io.ElfImports;
import dev.psm.core.io.LibrarySearch;
import dev.psm.core.io.OutputFolder;
import dev.psm.lab.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * Makes a bundle: psm, its jars, a Java runtime and MuJoCo in one folder that runs anywhere on a
 * Linux of its platform.
 *
 * @param jars psm's class path
 * @param jlink of the JDK whose runtime is taken along
 * @param mujoco its library, or null to go without
 * @param partBytes where given, an archive in parts of this size is made and not a folder
 */
public record Bundle(List<Path> jars, Path jlink, Path mujoco, OptionalLong partBytes) {
  /** What lies at the top of a bundle, but for parts; its launcher makes the cache. */
  private static final Set<String> OWN =
      Set.of("psm", "settings.sh", "jre", "lib", "native", "cache", "join", StagingFolder.MANIFEST);

  /**
   * What was made.
   *
   * @param bytes of all files
   * @param parts 0 for a folder
   */
  public record Result(long bytes, int parts) {}

  /**
   * Whether a bundle may be put there: nothing is replaced but, where that is wished, an older
   * bundle.
   */
  public static void checkTarget(Path out, boolean force) {
    boolean there = OutputFolder.holds(out, "a bundle", Bundle::isBundle);
    Optional<String> foreign =
        OutputFolder.list(out).stream()
            .map(file -> file.getFileName().toString())
            .filter(name -> !OWN.contains(name) && !PartsStream.isPart(name))
            .findFirst();
    if (foreign.isPresent()) {
      throw UserError.invalid(
          "--out: %s holds %s, which no bundle brings and which would be lost; move it away, or"
              + " choose another folder",
          out, foreign.get());
    }
    if (there && !force) {
      throw UserError.invalid(
          "--out: %s already holds a bundle; replace it with --force, or choose another folder",
          out);
    }
  }

  /** Makes it; a failure, or {@code stop}, leaves nothing behind. */
  public Result make(Path out, boolean force, Progress progress, BooleanSupplier stop) {
    checkTarget(out, force);
    AtomicReference<Result> result = new AtomicReference<>();
    AtomicFolders.write(
        out,
        folder -> {
          try {
            result.set(make(folder, progress, stop));
          } catch (IOException e) {
            throw AtomicFiles.explain("write", out, e);
          } catch (UncheckedIOException e) {
            throw AtomicFiles.explain("write", out, e.getCause());
          }
          Stopped.check(stop);
          // Making it took a while, and somebody may have put something there.
          checkTarget(out, force);
        });
    return result.get();
  }

  private Result make(Path folder, Progress progress, BooleanSupplier stop) throws IOException {
    StagingFolder stage = new StagingFolder(folder, stop);
    if (partBytes.isEmpty()) {
      fill(stage, progress, stop);
      return new Result(stage.bytes(), 0);
    }
    StagingFolder whole = new StagingFolder(Files.createDirectory(folder.resolve("whole")), stop);
    fill(whole, progress, stop);
    int parts = split(whole, stage, progress);
    AtomicFolders.deleteTree(whole.folder());
    return new Result(stage.bytes(), parts);
  }

  private void fill(StagingFolder stage, Progress progress, BooleanSupplier stop)
      throws IOException {
    stage.script("psm", true);
    stage.script("settings.sh", false);
    try (Progress.Bar bar = progress.start("Java runtime", 1)) {
      JavaRuntime.make(jlink, stage.folder().resolve("jre"), stop);
      bar.update(1, "");
    }
    Map<String, Path> files = new LinkedHashMap<>();
    for (Path jar : jars) {
      if (!Files.isRegularFile(jar)) {
        throw UserError.failed(
            null, "the class path names %s, which is not a file; build anew with ./psm", jar);
      }
      if (files.put("lib/" + jar.getFileName(), jar) != null) {
        throw UserError.failed(null, "the class path has two jars of the name %s", jar);
      }
    }
    natives(stage.folder().resolve("jre"))
        .forEach((name, file) -> files.put("native/" + name, file));
    stage.copy("copying", files, progress);
    stage.manifest(progress);
  }

  private Map<String, Path> natives(Path jre) {
    LibrarySearch search = LibrarySearch.ofThisProcess();
    Map<String, Path> natives = new LinkedHashMap<>();
    // Some distributions' Java uses the system's zlib, which a bare container may lack.
    List<Path> own = List.of(jre.resolve("lib"), jre.resolve("lib/server"));
    for (Path program : List.of(jre.resolve("bin/java"), jre.resolve("lib/libzip.so"))) {
      if (ElfImports.isElf(program)) {
        natives.putAll(NativeClosure.of(program, own, search));
      }
    }
    if (mujoco != null) {
      natives.put(mujoco.getFileName().toString(), mujoco);
      natives.putAll(NativeClosure.of(mujoco, List.of(), search));
    }
    return natives;
  }

  private int split(StagingFolder whole, StagingFolder parts, Progress progress)
      throws IOException {
    PartsStream stream = new PartsStream(parts.folder(), partBytes.orElseThrow());
    whole.archive(stream, progress);
    parts.script("join", true);
    parts.writeManifest(stream.digests());
    return stream.digests().size();
  }

  private static boolean isBundle(Path folder) {
    return Files.isRegularFile(folder.resolve(StagingFolder.MANIFEST))
        && (Files.isRegularFile(folder.resolve("join"))
            || Files.isRegularFile(folder.resolve("settings.sh")));
  }
}
