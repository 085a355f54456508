package dev.psm.mujoco;

import dev.psm.core.io.LibrarySearch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The folders in which a Python interpreter looks for packages, as it tells itself.
 *
 * <p>It is asked with {@code -I -S}: without the packages themselves, whose start-up hooks may run
 * anything, and without what PYTHONPATH and the like add.
 */
final class PythonPackages {
  /** The first folder is a virtual environment's, which Python does not know of with -S. */
  private static final String QUESTION =
      """
      import os, site, sys
      name = 'python%d.%d' % sys.version_info[:2]
      prefix = os.path.dirname(os.path.dirname(sys.executable))
      own = os.path.join(prefix, 'lib', name, 'site-packages')
      print(os.pathsep.join([own, *site.getsitepackages(), site.getusersitepackages()]))
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private PythonPackages() {}

  /** Those of the {@code python3} on the path; none where there is none. */
  static List<Path> folders() {
    return folders("python3", PATIENCE);
  }

  /** Those of an interpreter; none where it does not answer in time. */
  static List<Path> folders(String interpreter, Duration patience) {
    Process process;
    try {
      process =
          new ProcessBuilder(interpreter, "-I", "-S", "-c", QUESTION)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      return List.of();
    }
    try {
      process.getOutputStream().close();
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)
          || process.exitValue() != 0) {
        return List.of();
      }
      byte[] answer = process.getInputStream().readAllBytes();
      return LibrarySearch.folders(new String(answer, StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    } finally {
      // What is called python3 may be a script that starts the interpreter.
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
