package dev.psm.core.io;

import dev.psm.core.UserError;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes whole files so that a reader, or a machine that lost power, sees the old file or the new
 * one and never a part of either.
 *
 * <p>The content goes to a temporary neighbour that is forced to disk and then renamed; a failure
 * removes the neighbour. Missing parent folders are created.
 */
public final class AtomicFiles {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int MAX_LINKS = 40;

  private AtomicFiles() {}

  /** Produces a file's content. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  public static void write(Path file, byte[] bytes) {
    write(file, out -> out.write(bytes));
  }

  /** Writes UTF-8. */
  public static void writeText(Path file, String text) {
    write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  public static void write(Path file, Content content) {
    if (Files.isDirectory(file)) {
      throw UserError.invalid("cannot write %s: it is a directory, give a file name", file);
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      writeThrough(file, content);
      return;
    }
    Path target = linked(file.toAbsolutePath());
    Path directory = target.getParent();
    try {
      Files.createDirectories(directory);
      Path temporary = temporaryBeside(target);
      try {
        writeForced(temporary, content);
        Files.move(
            temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException | ReadOnlyFileSystemException e) {
      throw explain("write", file, e);
    }
    forceRenames(directory);
  }

  /** Makes a file that someone else wrote as durable as those written here. */
  public static void force(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    } catch (IOException e) {
      throw explain("write", file, e);
    }
    forceRenames(file.toAbsolutePath().getParent());
  }

  /** A device or a pipe cannot be replaced by a file without breaking it for everybody else. */
  private static void writeThrough(Path device, Content content) {
    try (OutputStream out =
        new BufferedOutputStream(
            Files.newOutputStream(device, StandardOpenOption.WRITE), BUFFER_BYTES)) {
      content.writeTo(out);
    } catch (IOException e) {
      throw explain("write", device, e);
    }
  }

  /** Where a link leads, so that what it names is replaced and not the link. */
  private static Path linked(Path file) {
    Path target = file;
    try {
      for (int links = 0; Files.isSymbolicLink(target) && links < MAX_LINKS; links++) {
        target = target.resolveSibling(Files.readSymbolicLink(target));
      }
    } catch (IOException e) {
      throw explain("write", file, e);
    }
    return target;
  }

  private static void writeForced(Path temporary, Content content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES);
      content.writeTo(out);
      out.flush();
      channel.force(true);
    }
  }

  // Not Files.createTempFile: its owner-only permissions would stay on the final file.
  private static Path temporaryBeside(Path target) {
    String random = Long.toHexString(ThreadLocalRandom.current().nextLong());
    return target.resolveSibling("." + target.getFileName() + "." + random + ".tmp");
  }

  /** Makes the rename itself durable; systems that cannot open a directory do it on their own. */
  static void forceRenames(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException ignored) {
      // The content is complete and in place; only its durability across a power cut is unproven.
    }
  }

  /** Turns what the file system said into what the user can do about it. */
  public static UserError explain(String verb, Path file, Exception e) {
    String reason = e.getMessage() == null ? "" : e.getMessage();
    if (e instanceof FileSystemException details && details.getReason() != null) {
      reason = details.getReason();
    }
    if (e instanceof CharacterCodingException) {
      return UserError.invalid("cannot %s %s: it is damaged, not UTF-8 text", verb, file);
    }
    String lower = reason.toLowerCase(Locale.ROOT);
    String where = e instanceof FileSystemException details ? details.getFile() : null;
    if (e instanceof AccessDeniedException || lower.contains("permission denied")) {
      return UserError.failed(
          e,
          "cannot %s %s: no permission for %s; choose another place or change its permissions",
          verb,
          file,
          where == null ? file : where);
    }
    if (e instanceof NotDirectoryException
        || e instanceof FileAlreadyExistsException
        || lower.contains("not a directory")) {
      return UserError.invalid(
          "cannot %s %s: a part of its path is a file, not a directory%s",
          verb, file, where == null ? "" : " (" + where + ")");
    }
    if (lower.contains("no space left")
        || lower.contains("not enough space")
        || lower.contains("quota")) {
      return UserError.failed(
          e, "cannot %s %s: the disk is full; free some space and run again", verb, file);
    }
    if (e instanceof ReadOnlyFileSystemException || lower.contains("read-only")) {
      return UserError.failed(
          e, "cannot %s %s: the file system is read-only; choose another place", verb, file);
    }
    if (e instanceof NoSuchFileException) {
      return UserError.invalid("cannot %s %s: there is no such file", verb, file);
    }
    return UserError.failed(
        e,
        "cannot %s %s: %s",
        verb,
        file,
        reason.isEmpty() ? e.getClass().getSimpleName() : reason);
  }
}
