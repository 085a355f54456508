package dev.psm.app.bundle;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The Java of a bundle: of the JDK that runs now, the modules that psm and its libraries use. */
final class JavaRuntime {
  private static final List<String> MODULES =
      List.of(
          "java.base",
          // JNA's and ojAlgo's classes mention it, though nothing here opens a window.
          "java.desktop",
          "java.logging",
          "java.management",
          // Spark and Hadoop, where they are taken along, ask who the user is.
          "java.naming",
          "java.security.jgss",
          "java.security.sasl",
          // Jackson knows its types.
          "java.sql",
          "java.xml",
          "jdk.management",
          "jdk.random",
          "jdk.security.auth",
          "jdk.unsupported",
          // JUnit looks for tests in jars.
          "jdk.zipfs");

  private JavaRuntime() {}

  /** Makes one in a folder that does not exist yet. */
  static void make(Path jlink, Path folder, BooleanSupplier stop) throws IOException {
    if (!Files.isExecutable(jlink)) {
      throw UserError.failed(
          null,
          "there is no %s: this Java is not a whole JDK; install one (Debian: apt-get install openjdk-17-jdk-headless)"
              + " or set PSM_JAVA_HOME to one",
          jlink);
    }
    Path log = folder.resolveSibling("jlink.log");
    Process process =
        new ProcessBuilder(
                jlink.toString(),
                "--add-modules",
                String.join(",", MODULES),
                "--strip-java-debug-attributes",
                "--no-header-files",
                "--no-man-pages",
                Runtime.version().feature() >= 21 ? "--compress=zip-6" : "--compress=2",
                "--output",
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      while (!process.waitFor(100, TimeUnit.MILLISECONDS)) {
        Stopped.check(stop);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Stopped();
    } finally {
      // Its end is awaited, for the folder it writes to is about to be deleted.
      process.destroyForcibly().onExit().join();
    }
    String said = Files.readString(log, StandardCharsets.UTF_8).strip();
    if (process.exitValue() != 0) {
      Stopped.check(stop);
      throw UserError.failed(
          null,
          "jlink could not make a Java runtime: %s",
          said.isEmpty() ? "no reason given" : said);
    }
    Files.delete(log);
  }
}
