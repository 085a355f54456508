package dev.psm.spark;

import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFolders;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * What workers are given: every jar of this process but Spark's own, which a cluster has, and the
 * plugins. Folders of classes become jars. Spark sends each file once to a machine, and psm unpacks
 * native libraries once on it, however many processes there are.
 */
final class WorkerJars implements AutoCloseable {
  private static final String SPARK = "spark-jars";

  private final List<Path> jars = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final Path folder;

  private WorkerJars(Path folder) {
    this.folder = folder;
  }

  /** Those of this process's class path, and these plugins. */
  static WorkerJars make(List<Path> plugins) {
    try {
      WorkerJars made = new WorkerJars(Files.createTempDirectory("psm-jars-"));
      Set<String> spark = spark();
      String path = System.getProperty("java.class.path");
      for (String entry : path.split(File.pathSeparator, -1)) {
        Path file = Path.of(entry).toAbsolutePath();
        if (!entry.isEmpty()
            && !isOfTheCluster(file)
            && !spark.contains(file.getFileName().toString())) {
          made.add(file);
        }
      }
      for (Path plugin : plugins) {
        made.addPlugin(plugin);
      }
      return made;
    } catch (IOException e) {
      throw UserError.failed(e, "cannot make the jars that workers need: %s", e.getMessage());
    }
  }

  /** A distribution of Spark and the settings of a cluster, which may hold secrets. */
  private static boolean isOfTheCluster(Path file) {
    return Stream.of("SPARK_HOME", "HADOOP_CONF_DIR")
        .map(System.getenv()::get)
        .filter(folder -> folder != null && !folder.isEmpty())
        .anyMatch(folder -> file.startsWith(Path.of(folder).toAbsolutePath()));
  }

  private static Set<String> spark() throws IOException {
    try (InputStream list = WorkerJars.class.getResourceAsStream(SPARK)) {
      String text = new String(list.readAllBytes(), StandardCharsets.UTF_8).strip();
      Set<String> names = new HashSet<>();
      for (String jar : text.split(":", -1)) {
        names.add(jar.substring(jar.lastIndexOf('/') + 1));
      }
      return names;
    }
  }

  private void addPlugin(Path plugin) throws IOException {
    if (Files.isDirectory(plugin)) {
      try (Stream<Path> files = Files.list(plugin)) {
        List<Path> found = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        if (!found.isEmpty()) {
          for (Path jar : found) {
            add(jar);
          }
          return;
        }
      }
    }
    add(plugin.toAbsolutePath());
  }

  /** Spark knows files by their names, so each has one of its own. */
  private void add(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      Path jar = folder.resolve(unused("classes.jar"));
      pack(file, jar);
      jars.add(jar);
    } else if (Files.isRegularFile(file)) {
      String name = file.getFileName().toString();
      String free = unused(name);
      jars.add(free.equals(name) ? file : Files.copy(file, folder.resolve(free)));
    }
  }

  private String unused(String name) {
    String free = name;
    for (int i = 2; !names.add(free); i++) {
      free = i + "-" + name;
    }
    return free;
  }

  private static void pack(Path folder, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream packed = new JarOutputStream(out);
        Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
        String name = folder.relativize(file).toString().replace(File.separatorChar, '/');
        packed.putNextEntry(new JarEntry(name));
        Files.copy(file, packed);
        packed.closeEntry();
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  List<Path> files() {
    return List.copyOf(jars);
  }

  long bytes() {
    return jars.stream().mapToLong(jar -> jar.toFile().length()).sum();
  }

  @Override
  public void close() {
    try {
      AtomicFolders.deleteTree(folder);
    } catch (IOException e) {
      // It lies where the system clears up.
    }
  }
}
