package dev.psm.core.io;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps two writers from one folder. The operating system gives the lock back when a process ends,
 * however it ends, so no stale lock can be left behind.
 *
 * <p>Within one process a set does the same. It is asked before the lock file is opened: on POSIX
 * systems, closing any channel to a file gives back every lock that the process has on it.
 */
public final class FolderLock implements AutoCloseable {
  private static final String NAME = ".lock";
  private static final int MAX_ATTEMPTS = 100;
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final FileChannel channel;
  private final boolean madeFolder;

  private FolderLock(Path folder, FileChannel channel, boolean madeFolder) {
    this.folder = folder;
    this.channel = channel;
    this.madeFolder = madeFolder;
  }

  /**
   * Takes the lock, creating the folder where there is none; if nothing is written into such a
   * folder, it goes with the lock.
   *
   * @param busy the refusal when someone else has it: who that is, and what to do
   */
  public static FolderLock take(Path folder, String busy) {
    try {
      return tryTake(folder).orElseThrow(() -> UserError.invalid("%s", busy));
    } catch (IOException e) {
      throw AtomicFiles.explain("write", folder.resolve(NAME), e);
    }
  }

  /** Takes the lock as {@link #take} does, or returns nothing when someone else has it. */
  public static Optional<FolderLock> tryTake(Path folder) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return tryTakeOnce(folder);
      } catch (NoSuchFileException | FileAlreadyExistsException e) {
        // The last owner is just deleting the folder, or another taker is making it.
        if (attempt == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static Optional<FolderLock> tryTakeOnce(Path folder) throws IOException {
    boolean madeFolder = !Files.exists(folder);
    Files.createDirectories(folder);
    Path real = folder.toRealPath();
    if (!HELD_HERE.add(real)) {
      return Optional.empty();
    }
    FileChannel channel = null;
    try {
      channel = lock(real.resolve(NAME));
    } finally {
      if (channel == null) {
        HELD_HERE.remove(real);
      }
    }
    return Optional.ofNullable(channel).map(held -> new FolderLock(real, held, madeFolder));
  }

  /**
   * The channel that holds the lock, or null where another process has it.
   *
   * @throws NoSuchFileException where the file was deleted before it was locked: such a lock would
   *     keep nobody out
   */
  private static FileChannel lock(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(file);
    }
    List<Object> before = identity(file);
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      locked = channel.tryLock() != null;
      if (locked && !identity(file).equals(before)) {
        locked = false;
        throw new NoSuchFileException(file.toString());
      }
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    return locked ? channel : null;
  }

  /** The key alone can come again with the next file; nobody writes, so the time is its birth. */
  private static List<Object> identity(Path file) throws IOException {
    BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
    return Arrays.asList(found.fileKey(), found.lastModifiedTime());
  }

  /** For work that relies on its caller's lock. */
  public void requireOf(Path path) {
    try {
      if (!path.toRealPath().equals(folder)) {
        throw new IllegalArgumentException("a lock of " + folder + ", not of " + path);
      }
    } catch (IOException e) {
      throw AtomicFiles.explain("read", path, e);
    }
  }

  @Override
  public void close() {
    try (FileChannel held = channel) {
      Path file = folder.resolve(NAME);
      if (madeFolder && OutputFolder.list(folder).equals(List.of(file))) {
        Files.delete(file);
        Files.deleteIfExists(folder);
      }
    } catch (DirectoryNotEmptyException e) {
      // The next owner is there already.
    } catch (IOException e) {
      throw UserError.failed(e, "cannot release the lock of %s: %s", folder, e.getMessage());
    } finally {
      HELD_HERE.remove(folder);
    }
  }
}
