package dev.psm.core.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where Linux's dynamic loader would find a shared library: the folders of LD_LIBRARY_PATH, then
 * the loader's cache, then its own folders. Looking loads nothing, so that what is missing can be
 * told in words before a native library fails for want of it.
 */
public final class LibrarySearch {
  private static final List<Path> LOADERS_OWN =
      List.of(
          Path.of("/lib/x86_64-linux-gnu"),
          Path.of("/usr/lib/x86_64-linux-gnu"),
          Path.of("/lib64"),
          Path.of("/usr/lib64"),
          Path.of("/lib"),
          Path.of("/usr/lib"));
  private static final Pattern CACHED = Pattern.compile("\\s*(\\S+) \\((.*)\\) => (/.*)");
  private static final long PATIENCE_SECONDS = 10;

  private final List<Path> first;
  private final Map<String, Path> cache;
  private final List<Path> last;

  /**
   * @param first the folders that come before the cache
   * @param cache what {@code ldconfig -p} prints
   * @param last the folders that come after it
   */
  public LibrarySearch(List<Path> first, String cache, List<Path> last) {
    this.first = List.copyOf(first);
    this.cache = parse(cache);
    this.last = List.copyOf(last);
  }

  /** As this process's loader searches. */
  public static LibrarySearch ofThisProcess() {
    return new LibrarySearch(folders(System.getenv("LD_LIBRARY_PATH")), readCache(), LOADERS_OWN);
  }

  /** The file the loader would take for a name such as libz.so.1. */
  public Optional<Path> find(String name) {
    Optional<Path> early = in(first, name);
    if (early.isPresent()) {
      return early;
    }
    Path cached = cache.get(name);
    return cached != null && Files.isReadable(cached) ? Optional.of(cached) : in(last, name);
  }

  private static Optional<Path> in(List<Path> folders, String name) {
    return folders.stream()
        .map(folder -> folder.resolve(name))
        .filter(file -> Files.isRegularFile(file) && Files.isReadable(file))
        .findFirst();
  }

  /** The folders of a list with colons between them; what is not a path is left out. */
  public static List<Path> folders(String list) {
    List<Path> folders = new ArrayList<>();
    for (String folder : list == null ? new String[0] : list.split(":", -1)) {
      try {
        if (!folder.isBlank()) {
          folders.add(Path.of(folder));
        }
      } catch (InvalidPathException e) {
        // The loader finds nothing there either.
      }
    }
    return folders;
  }

  private static Map<String, Path> parse(String listing) {
    Map<String, Path> found = new HashMap<>();
    for (String line : listing.split("\n", -1)) {
      Matcher matcher = CACHED.matcher(line);
      // Libraries of 32 bits stand in the same list, without this word.
      if (matcher.matches() && matcher.group(2).contains("64")) {
        found.putIfAbsent(matcher.group(1), Path.of(matcher.group(3).strip()));
      }
    }
    return found;
  }

  private static String readCache() {
    // An ordinary user's path often lacks the folders where ldconfig lies.
    for (String program : List.of("/sbin/ldconfig", "/usr/sbin/ldconfig")) {
      if (Files.isExecutable(Path.of(program))) {
        try {
          Path listing = Files.createTempFile("psm-ldconfig", ".txt");
          try {
            Process process =
                new ProcessBuilder(program, "-p")
                    .redirectErrorStream(true)
                    .redirectOutput(listing.toFile())
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
              process.destroyForcibly();
            }
            return Files.readString(listing, StandardCharsets.ISO_8859_1);
          } finally {
            Files.deleteIfExists(listing);
          }
        } catch (IOException e) {
          return "";
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return "";
        }
      }
    }
    return "";
  }
}
