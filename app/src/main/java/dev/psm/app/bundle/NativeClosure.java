package dev.psm.app.bundle;

import dev.psm.core.UserError;
import dev.psm.core.io.ElfImports;
import dev.psm.core.io.LibrarySearch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What native files need beyond what every Linux has. */
final class NativeClosure {
  /**
   * Of the C library and the compiler: they must fit the machine, so they are never taken along.
   */
  private static final List<String> SYSTEM =
      List.of(
          "linux-vdso.so",
          "ld-linux",
          "libc.so",
          "libm.so",
          "libdl.so",
          "librt.so",
          "libpthread.so",
          "libgcc_s.so",
          "libstdc++.so");

  private NativeClosure() {}

  /**
   * The libraries that a file needs, and those that they need, by name.
   *
   * @param beside folders whose libraries go along anyway
   */
  static Map<String, Path> of(Path root, List<Path> beside, LibrarySearch search) {
    Map<String, Path> found = new LinkedHashMap<>();
    Deque<Path> open = new ArrayDeque<>(List.of(root));
    while (!open.isEmpty()) {
      Path file = open.remove();
      for (String name : ElfImports.of(file)) {
        if (SYSTEM.stream().anyMatch(name::startsWith)
            || found.containsKey(name)
            || beside.stream().anyMatch(folder -> Files.exists(folder.resolve(name)))) {
          continue;
        }
        // Libraries from elsewhere than the system bring their own along, beside them.
        Path library =
            Optional.of(file.resolveSibling(name))
                .filter(Files::isReadable)
                .or(() -> search.find(name))
                .orElseThrow(
                    () ->
                        UserError.failed(
                            null, "%s needs %s, which the loader does not find", file, name));
        found.put(name, library);
        open.add(library);
      }
    }
    return found;
  }
}
