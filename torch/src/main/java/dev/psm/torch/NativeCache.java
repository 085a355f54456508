package dev.psm.torch;

import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFolders;
import dev.psm.core.io.FolderLock;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipException;

/**
 * Native libraries, unpacked once for all processes.
 *
 * <p>JavaCPP's own cache cannot be shared safely: it unpacks straight to a library's final name, so
 * that a kill leaves half of one, and it sets symbolic links while other processes load through
 * them. Here the libraries of a jar are unpacked under a lock, into a folder that takes its name
 * when it is complete. Their content never changes after that; their times do, since a process sets
 * them to what its time zone makes of those in the jar. Every process gets a folder of its own with
 * hard links to them, where JavaCPP may do as it likes. Nobody but that process depends on it, so
 * the unpacked libraries can be deleted at any time.
 *
 * <pre>
 * .lock      held while anything here is looked at or changed
 * natives/   a folder for each jar
 * processes/ a folder for each process that runs, with a lock of its own; those of ended processes
 *            are deleted by the next one that starts
 * </pre>
 *
 * @param root where all of this is
 * @param listener told what takes long
 */
public record NativeCache(Path root, Listener listener) {
  /** The environment variable that names the folder. */
  public static final String VARIABLE = "PSM_CACHE";

  private static final String UNFINISHED = ".unfinished";
  private static final long QUIET_MILLIS = 1000;
  private static final long POLL_MILLIS = 50;
  private static final int BLOCK_BYTES = 1 << 20;
  private static final long MEGABYTE = 1_000_000;

  /** Told what takes long. */
  public interface Listener {
    /** Says nothing. */
    Listener SILENT =
        new Listener() {
          @Override
          public void waiting() {}

          @Override
          public void unpacked(long bytes, long total) {}

          @Override
          public void ended() {}
        };

    /** Another process has had the cache for a second. */
    void waiting();

    /** How much of the total is unpacked; at first nothing. */
    void unpacked(long bytes, long total);

    /** Unpacking is over, done or failed. */
    void ended();
  }

  /**
   * Libraries of one jar.
   *
   * @param name the jar's name and a digest of what is in it
   */
  public record Unpacked(String name, long bytes) {}

  /**
   * What is in the cache.
   *
   * @param processes how many processes use it
   */
  public record Content(List<Unpacked> unpacked, int processes) {
    public long bytes() {
      return unpacked.stream().mapToLong(Unpacked::bytes).sum();
    }
  }

  /**
   * A process's own folder.
   *
   * @param folder for JavaCPP
   * @param lock to be kept as long as the process lives
   */
  record ProcessFolder(Path folder, FolderLock lock) {}

  /**
   * Makes a folder for this process, with the libraries of these jars as JavaCPP expects them: by
   * name, size and time.
   */
  ProcessFolder open(List<NativeJar> jars) {
    try (FolderLock lock = lock()) {
      sweep();
      List<NativeJar> missing = new ArrayList<>();
      for (NativeJar jar : jars) {
        if (!isWhole(jar)) {
          missing.add(jar);
        }
      }
      unpack(missing);
      return link(jars);
    } catch (IOException e) {
      throw explain(e, jars);
    }
  }

  /** What is there now. */
  public Content content() {
    if (!Files.isDirectory(root)) {
      return new Content(List.of(), 0);
    }
    try (FolderLock lock = lock()) {
      sweep();
      List<Unpacked> unpacked = new ArrayList<>();
      for (Path folder : list(natives())) {
        unpacked.add(new Unpacked(folder.getFileName().toString(), bytes(folder)));
      }
      return new Content(unpacked, list(processes()).size());
    } catch (IOException e) {
      throw UserError.failed(e, "cannot read the cache in %s: %s", root, reason(e));
    }
  }

  /**
   * Deletes all unpacked libraries. Running processes go on with theirs, whose space is free when
   * they end.
   */
  public void clear() {
    if (!Files.isDirectory(root)) {
      return;
    }
    try (FolderLock lock = lock()) {
      sweep();
      AtomicFolders.deleteTree(natives());
    } catch (IOException e) {
      throw UserError.failed(e, "cannot clear the cache in %s: %s", root, reason(e));
    }
  }

  private Path natives() {
    return root.resolve("natives");
  }

  private Path processes() {
    return root.resolve("processes");
  }

  private FolderLock lock() throws IOException {
    long start = System.nanoTime();
    boolean told = false;
    while (true) {
      Optional<FolderLock> lock = FolderLock.tryTake(root);
      if (lock.isPresent()) {
        return lock.get();
      }
      if (!told && System.nanoTime() - start > QUIET_MILLIS * 1_000_000) {
        told = true;
        listener.waiting();
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while another process used the cache", e);
      }
    }
  }

  /** Deletes what processes that have ended left behind. */
  private void sweep() throws IOException {
    for (Path folder : list(natives())) {
      // The lock is ours, so nobody is filling it.
      if (folder.getFileName().toString().endsWith(UNFINISHED)) {
        AtomicFolders.deleteTree(folder);
      }
    }
    for (Path folder : list(processes())) {
      Optional<FolderLock> ended = FolderLock.tryTake(folder);
      if (ended.isPresent()) {
        try (FolderLock lock = ended.get()) {
          AtomicFolders.deleteTree(folder);
        }
      }
    }
  }

  /** Whether all libraries are there with the right size; corrects their times. */
  private boolean isWhole(NativeJar jar) throws IOException {
    Path folder = natives().resolve(jar.key());
    for (NativeJar.Library library : jar.libraries()) {
      Path file = folder.resolve(library.name());
      if (!Files.isRegularFile(file)) {
        return false;
      }
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      if (found.size() != library.bytes()) {
        return false;
      }
      // JavaCPP compares times, and those in a jar depend on the process's time zone.
      if (found.lastModifiedTime().toMillis() != library.modified()) {
        Files.setLastModifiedTime(file, FileTime.fromMillis(library.modified()));
      }
    }
    return true;
  }

  private void unpack(List<NativeJar> jars) throws IOException {
    long total = jars.stream().mapToLong(NativeJar::bytes).sum();
    if (total == 0) {
      return;
    }
    Files.createDirectories(natives());
    for (NativeJar jar : jars) {
      // What is wrong with it costs space.
      AtomicFolders.deleteTree(natives().resolve(jar.key()));
    }
    FileStore disk = Files.getFileStore(natives());
    // Some file systems do not know, and say 0 to both.
    if (disk.getTotalSpace() > 0 && disk.getUsableSpace() < total) {
      throw new FileSystemException(null, null, "the disk is full");
    }
    long[] done = {0};
    listener.unpacked(0, total);
    try {
      for (NativeJar jar : jars) {
        unpack(jar, bytes -> listener.unpacked(done[0] += bytes, total));
      }
    } finally {
      listener.ended();
    }
  }

  private void unpack(NativeJar jar, IntConsumer progress) throws IOException {
    Path unfinished = natives().resolve(jar.key() + UNFINISHED);
    try {
      Files.createDirectory(unfinished);
      jar.read(
          (library, content) ->
              write(jar, library, content, unfinished.resolve(library.name()), progress));
      Files.move(unfinished, natives().resolve(jar.key()), StandardCopyOption.ATOMIC_MOVE);
    } catch (ZipException | EOFException e) {
      throw damaged(jar, e.getMessage());
    } finally {
      AtomicFolders.deleteTree(unfinished);
    }
  }

  /** Writes a library to the disk, and not only to the system's memory. */
  private static void write(
      NativeJar jar,
      NativeJar.Library library,
      InputStream content,
      Path file,
      IntConsumer progress)
      throws IOException {
    CRC32 crc = new CRC32();
    byte[] block = new byte[BLOCK_BYTES];
    long bytes = 0;
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (int length = content.read(block); length >= 0; length = content.read(block)) {
        crc.update(block, 0, length);
        bytes += length;
        ByteBuffer rest = ByteBuffer.wrap(block, 0, length);
        while (rest.hasRemaining()) {
          out.write(rest);
        }
        progress.accept(length);
      }
      out.force(true);
    }
    if (bytes != library.bytes() || crc.getValue() != library.crc()) {
      throw damaged(jar, "the checksum of %s is wrong".formatted(library.entry()));
    }
    Files.setLastModifiedTime(file, FileTime.fromMillis(library.modified()));
  }

  private static UserError damaged(NativeJar jar, String reason) {
    return UserError.failed(
            null, "%s is damaged: %s; delete the jar and get it again", jar.file(), reason)
        .with(Remedy.FETCH_LIBRARIES);
  }

  private ProcessFolder link(List<NativeJar> jars) throws IOException {
    String random = Long.toHexString(ThreadLocalRandom.current().nextLong());
    Path own = processes().resolve(ProcessHandle.current().pid() + "-" + random);
    FolderLock lock = FolderLock.tryTake(own).orElseThrow();
    try {
      // JavaCPP locks a file in its folder, so that folder must not be the one that is locked here.
      Path folder = Files.createDirectory(own.resolve("javacpp")).toRealPath();
      for (NativeJar jar : jars) {
        Path into =
            Files.createDirectories(
                folder.resolve(jar.file().getFileName().toString()).resolve(jar.folder()));
        for (NativeJar.Library library : jar.libraries()) {
          link(into.resolve(library.name()), natives().resolve(jar.key()).resolve(library.name()));
        }
      }
      return new ProcessFolder(folder, lock);
    } catch (IOException | RuntimeException e) {
      try (lock) {
        AtomicFolders.deleteTree(own);
      } catch (IOException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
  }

  private static void link(Path link, Path file) throws IOException {
    try {
      Files.createLink(link, file);
    } catch (IOException | UnsupportedOperationException e) {
      // Systems say no more than that it is not permitted.
      FileSystemException told =
          new FileSystemException(
              file.toString(),
              null,
              "no hard link to it can be made (%s): the file system has none, or the file belongs to another user"
                  .formatted(
                      e instanceof FileSystemException problem && problem.getReason() != null
                          ? problem.getReason()
                          : e.toString()));
      told.initCause(e);
      throw told;
    }
  }

  private UserError explain(IOException e, List<NativeJar> jars) {
    long needed = 0;
    for (NativeJar jar : jars) {
      needed += Files.isDirectory(natives().resolve(jar.key())) ? 0 : jar.bytes();
    }
    if (needed == 0) {
      return UserError.failed(
          e,
          "cannot use the native libraries in %s: %s; mend that, or set %s to another folder",
          root,
          reason(e),
          VARIABLE);
    }
    String free = "";
    try {
      Path there = root;
      while (!Files.exists(there) && there.getParent() != null) {
        there = there.getParent();
      }
      long bytes = Files.getFileStore(there).getUsableSpace();
      free = ", and %d MB are free there".formatted(bytes / MEGABYTE);
    } catch (IOException ignored) {
      // The reason is told without it.
    }
    return UserError.failed(
        e,
        "cannot unpack native libraries into %s: %s; they need %d MB%s; mend that, or set %s to another folder",
        root,
        reason(e),
        Math.round((double) needed / MEGABYTE),
        free,
        VARIABLE);
  }

  private static String reason(IOException e) {
    if (e instanceof AccessDeniedException denied) {
      return "no permission for " + denied.getFile();
    }
    if (e instanceof FileAlreadyExistsException taken) {
      return taken.getFile() + " is a file";
    }
    if (e instanceof FileSystemException problem && problem.getReason() != null) {
      String file = problem.getFile() == null ? "" : problem.getFile() + ": ";
      return file + problem.getReason();
    }
    return String.valueOf(e.getMessage());
  }

  private static long bytes(Path folder) throws IOException {
    long bytes = 0;
    for (Path file : list(folder)) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  private static List<Path> list(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }
}
