package dev.psm.torch;

import dev.psm.core.io.Hashes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * The native libraries of a jar.
 *
 * @param file the jar
 * @param folder the folder in the jar that they are in
 * @param libraries in the order of the jar
 */
record NativeJar(Path file, String folder, List<Library> libraries) {
  /**
   * A library in a jar.
   *
   * @param entry its name in the jar
   * @param name its name when unpacked
   * @param modified in milliseconds, as Java reads it in the time zone of this process
   */
  record Library(String entry, String name, long bytes, long crc, long modified) {}

  /** Reads the content of a jar's library. */
  interface Reader {
    void read(Library library, InputStream content) throws IOException;
  }

  /**
   * Reads what a jar has.
   *
   * @param wanted chooses libraries by name
   * @param copies further names that libraries are to be unpacked under
   */
  static NativeJar open(
      Path file, String folder, Predicate<String> wanted, Map<String, List<String>> copies)
      throws IOException {
    List<Library> libraries = new ArrayList<>();
    try (JarFile jar = new JarFile(file.toFile())) {
      for (ZipEntry entry : (Iterable<ZipEntry>) jar.stream().map(ZipEntry.class::cast)::iterator) {
        String name = entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
        if (!name.isEmpty() && entry.getName().equals(folder + name) && wanted.test(name)) {
          libraries.add(library(entry, name));
          for (String copy : copies.getOrDefault(name, List.of())) {
            libraries.add(library(entry, copy));
          }
        }
      }
    }
    return new NativeJar(file, folder, List.copyOf(libraries));
  }

  private static Library library(ZipEntry entry, String name) {
    return new Library(entry.getName(), name, entry.getSize(), entry.getCrc(), entry.getTime());
  }

  /** Reads every library. */
  void read(Reader reader) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      for (Library library : libraries) {
        try (InputStream content = jar.getInputStream(jar.getEntry(library.entry()))) {
          reader.read(library, content);
        }
      }
    }
  }

  long bytes() {
    return libraries.stream().mapToLong(Library::bytes).sum();
  }

  /** A name that no jar with other libraries has. */
  String key() {
    StringBuilder text = new StringBuilder(folder);
    for (Library library : libraries) {
      text.append('\n').append(library.name()).append(' ').append(library.bytes());
      text.append(' ').append(library.crc());
    }
    String digest = Hashes.sha256(text.toString().getBytes(StandardCharsets.UTF_8));
    String name = file.getFileName().toString();
    return name.substring(0, name.lastIndexOf('.')) + "-" + digest.substring(0, 12);
  }
}
