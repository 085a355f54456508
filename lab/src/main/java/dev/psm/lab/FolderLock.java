package dev.psm.lab;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps two processes from training into one folder. The operating system gives the lock back when
 * a process ends, however it ends, so no stale lock can be left behind.
 */
final class FolderLock implements AutoCloseable {
  private static final String NAME = ".lock";

  private final FileChannel channel;
  private final FileLock lock;

  private FolderLock(FileChannel channel, FileLock lock) {
    this.channel = channel;
    this.lock = lock;
  }

  static FolderLock take(Path folder) {
    FileChannel channel = null;
    try {
      Files.createDirectories(folder);
      channel =
          FileChannel.open(
              folder.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return new FolderLock(channel, lock);
      }
      channel.close();
    } catch (OverlappingFileLockException e) {
      closeQuietly(channel);
    } catch (IOException e) {
      throw UserError.usage("cannot write into %s: %s", folder, e.getMessage());
    }
    throw UserError.usage(
        "another run is training into %s; wait for it or choose another --out", folder);
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw UserError.failed(e, "cannot close a lock: %s", e.getMessage());
    }
  }

  @Override
  public void close() {
    try {
      lock.release();
      channel.close();
    } catch (IOException e) {
      throw UserError.failed(e, "cannot release a lock: %s", e.getMessage());
    }
  }
}
