package dev.psm.bench.fuzz;

import dev.psm.core.io.AtomicFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * A file in a folder of sound ones.
 *
 * @param damage draws contents for it
 * @param prepare changes other files after the damaged one was written, such as one with its hash
 * @param reader reads the folder
 */
record FileTarget(
    String name,
    Path file,
    Function<RandomGenerator, byte[]> damage,
    Runnable prepare,
    Consumer<Path> reader)
    implements FuzzTarget {

  FileTarget(
      String name, Path file, Function<RandomGenerator, byte[]> damage, Consumer<Path> reader) {
    this(name, file, damage, () -> {}, reader);
  }

  /** A file of JSON, damaged as such. */
  static FileTarget json(String name, Path file, Consumer<Path> reader) {
    return new FileTarget(name, file, JsonMutator.of(contents(file)), reader);
  }

  /** A file of lines, damaged as such. */
  static FileTarget text(String name, Path file, Consumer<Path> reader) {
    return new FileTarget(name, file, new TextMutator(contents(file)), reader);
  }

  @Override
  public byte[] draw(RandomGenerator random) {
    return damage.apply(random);
  }

  @Override
  public void read(byte[] contents) {
    byte[] sound = contents(file);
    write(file, contents);
    try {
      prepare.run();
      reader.accept(file);
    } finally {
      write(file, sound);
    }
  }

  @Override
  public String place() {
    return file.getParent().toString();
  }

  static byte[] contents(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw AtomicFiles.explain("read", file, e);
    }
  }

  /** Not atomically, which would wait for the disk a hundred thousand times. */
  static void write(Path file, byte[] contents) {
    try {
      Files.write(file, contents);
    } catch (IOException e) {
      throw AtomicFiles.explain("write", file, e);
    }
  }
}
