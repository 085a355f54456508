package dev.psm.core.data;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.FolderLock;
import dev.psm.core.io.Hashes;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Writes a dataset while it is collected, so that a crash at any moment costs only the episodes
 * since the last flush.
 *
 * <p>Episodes gather in memory. A flush writes them as one new file, never touching an old one, and
 * then replaces the manifest: before that moment the flush has not happened, after it, it has.
 * Whatever a crash leaves half done is not in the manifest, and the next {@link #resume} removes
 * it. A flush that fails, on a full disk say, may be tried again.
 *
 * <p>A collector that learns gives its own state to the writer through {@link #checkpointWith}. It
 * then always finds, after a crash, the state that belongs to the last episode in the dataset.
 *
 * <p>{@link #close} does not flush: where it is reached by an exception, the collector's state may
 * no longer belong to its episodes. One thread at a time.
 */
public final class DatasetWriter implements AutoCloseable {
  /** A chunk is written when it has this many bytes. */
  static final long CHUNK_BYTES = 64L << 20;

  private static final long MAX_EPISODE_BYTES = 1L << 30;
  private static final long MANY_HEADERS = 1L << 20;
  private static final Pattern OURS =
      Pattern.compile(
          "(chunk-\\d{6,9}\\.safetensors|checkpoint-\\d{6,9}\\.state)"
              + "|\\.(chunk-\\d{6,9}\\.safetensors|checkpoint-\\d{6,9}\\.state|dataset\\.json)"
              + "\\.[0-9a-f]{1,16}\\.tmp");

  private final Path folder;
  private final FolderLock lock;
  private final ChunkBuffer pending;
  private final long chunkBytes;
  private Manifest manifest;
  private Consumer<Path> saveState;
  private boolean closed;

  private DatasetWriter(Path folder, FolderLock lock, Manifest manifest, long chunkBytes) {
    this.folder = folder;
    this.lock = lock;
    this.manifest = manifest;
    this.chunkBytes = chunkBytes;
    this.pending = new ChunkBuffer(manifest.description().columns());
  }

  /** Starts a dataset in a folder that holds none. */
  public static DatasetWriter create(Path folder, DatasetDescription description) {
    return create(folder, description, CHUNK_BYTES);
  }

  static DatasetWriter create(Path folder, DatasetDescription description, long chunkBytes) {
    return locked(
        folder,
        lock -> {
          if (Manifest.isIn(folder)) {
            throw UserError.invalid(
                "%s already holds a dataset; resume it or choose another folder", folder);
          }
          if (Files.exists(folder.resolve(Manifest.chunkName(0)))) {
            throw UserError.invalid(
                "%s holds chunks of a dataset that lost its %s; put that back, or choose another"
                    + " folder",
                folder, Manifest.NAME);
          }
          Manifest manifest =
              new Manifest(
                  description,
                  version(),
                  Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                  List.of(),
                  Optional.empty());
          manifest.write(folder);
          return new DatasetWriter(folder, lock, manifest, chunkBytes);
        });
  }

  /** Goes on where the last flush ended. */
  public static DatasetWriter resume(Path folder) {
    return resume(folder, CHUNK_BYTES);
  }

  static DatasetWriter resume(Path folder, long chunkBytes) {
    Manifest.requireIn(folder);
    return locked(
        folder,
        lock -> {
          Manifest manifest = Manifest.read(folder);
          // Episodes are only added to data that can be read; the mapping itself is not needed.
          Chunk.openAll(folder, manifest);
          removeLeftovers(folder, manifest);
          return new DatasetWriter(folder, lock, manifest, chunkBytes);
        });
  }

  public DatasetDescription description() {
    return manifest.description();
  }

  /** Says otherwise from the next flush on how the collector is set, where that may change. */
  public void describe(ObjectNode settings) {
    checkOpen();
    manifest =
        new Manifest(
            manifest.description().withSettings(settings),
            manifest.psm(),
            manifest.created(),
            manifest.chunks(),
            manifest.checkpoint());
  }

  /** Episodes so far, those that wait for a flush included. */
  public long episodes() {
    return manifest.episodes() + pending.episodes();
  }

  /** Transitions so far, those that wait for a flush included. */
  public long transitions() {
    return manifest.transitions() + pending.rows() - pending.episodes();
  }

  /** What {@link #checkpointWith} saved at the last flush, intact, or empty where it never did. */
  public Optional<Path> checkpoint() {
    return manifest
        .checkpoint()
        .map(
            entry -> {
              entry.requireIntact(folder);
              return folder.resolve(entry.file());
            });
  }

  /**
   * Has every flush, those that {@link #append} does on its own included, save the collector's
   * state into the file that it is given. The state is to be the one from which the episode after
   * those appended so far is collected.
   */
  public void checkpointWith(Consumer<Path> save) {
    saveState = save;
  }

  /** Adds an episode, and flushes when the chunk is full. The arrays are copied. */
  public void append(Episode episode) {
    append(List.of(episode));
  }

  /**
   * Adds episodes that were collected together, and flushes only after the last of them: between
   * two of them the collector has no state to go on from.
   */
  public void append(List<Episode> episodes) {
    checkOpen();
    episodes.forEach(this::hold);
    if (pending.bytes() >= chunkBytes) {
      flush();
    }
  }

  private void hold(Episode episode) {
    Columns columns = manifest.description().columns();
    List<EpisodeRules.Breach> breaches = EpisodeRules.breaches(episode, columns);
    if (!breaches.isEmpty()) {
      throw UserError.invalid("%s, episode %d: %s", folder, episodes(), breaches.get(0));
    }
    long bytes = columns.stored().stream().mapToLong(column -> column.bytes(episode.rows())).sum();
    if (bytes > MAX_EPISODE_BYTES) {
      throw UserError.invalid(
          "%s, episode %d has %d bytes; at most %d fit a chunk: cut it into shorter ones",
          folder, episodes(), bytes, MAX_EPISODE_BYTES);
    }
    if (pending.bytes() + bytes > 2 * MAX_EPISODE_BYTES - MANY_HEADERS) {
      throw UserError.invalid(
          "%s, episode %d: more than 2 GiB between two flushes do not fit a chunk",
          folder, episodes());
    }
    pending.add(episode);
  }

  /** Makes every episode appended so far part of the dataset. */
  public void flush() {
    checkOpen();
    if (pending.episodes() == 0 && saveState == null) {
      return;
    }
    Optional<Manifest.FileEntry> checkpoint = writeCheckpoint();
    List<Manifest.ChunkEntry> chunks = new ArrayList<>(manifest.chunks());
    if (pending.episodes() > 0) {
      Path file = folder.resolve(Manifest.chunkName(chunks.size()));
      String hash = pending.write(file);
      chunks.add(new Manifest.ChunkEntry(entry(file, hash), pending.episodes(), pending.rows()));
    }
    Manifest next =
        new Manifest(
            manifest.description(), manifest.psm(), manifest.created(), chunks, checkpoint);
    next.write(folder);
    manifest = next;
    pending.clear();
    removeLeftovers(folder, manifest);
  }

  /**
   * Removes a dataset without any episode, what a failed flush left of it included, so that its
   * folder is free for another.
   */
  public void discardEmpty() {
    checkOpen();
    if (!manifest.chunks().isEmpty()) {
      return;
    }
    // The manifest goes last: as long as anything is left, the folder is a dataset's.
    removeFiles(folder, Set.of());
    try {
      Files.deleteIfExists(folder.resolve(Manifest.NAME));
    } catch (IOException e) {
      throw AtomicFiles.explain("delete", folder.resolve(Manifest.NAME), e);
    }
  }

  /** Gives the folder to other writers; episodes since the last flush are dropped. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      lock.close();
    }
  }

  private Optional<Manifest.FileEntry> writeCheckpoint() {
    if (saveState == null) {
      if (manifest.checkpoint().isPresent()) {
        throw new IllegalStateException(
            "the checkpoint in " + folder + " would no longer belong to its last episode");
      }
      return Optional.empty();
    }
    int index =
        manifest
            .checkpoint()
            .map(old -> Integer.parseInt(old.file().replaceAll("\\D", "")) + 1)
            .orElse(0);
    Path file = folder.resolve(Manifest.checkpointName(index));
    saveState.accept(file);
    AtomicFiles.force(file);
    return Optional.of(entry(file, Hashes.sha256(file)));
  }

  private static Manifest.FileEntry entry(Path file, String hash) {
    try {
      return new Manifest.FileEntry(file.getFileName().toString(), Files.size(file), hash);
    } catch (IOException e) {
      throw UserError.failed(e, "cannot read %s: %s", file, e.getMessage());
    }
  }

  /** Removes what flushes that never finished, or were overtaken, left; never a stranger's file. */
  private static void removeLeftovers(Path folder, Manifest manifest) {
    Set<String> listed = new HashSet<>();
    manifest.chunks().forEach(chunk -> listed.add(chunk.stored().file()));
    manifest.checkpoint().ifPresent(entry -> listed.add(entry.file()));
    removeFiles(folder, listed);
  }

  private static void removeFiles(Path folder, Set<String> listed) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (OURS.matcher(name).matches() && !listed.contains(name)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      throw UserError.failed(
          e, "cannot remove what an interrupted flush left in %s: %s", folder, e.getMessage());
    }
  }

  private interface Opening {
    DatasetWriter with(FolderLock lock);
  }

  private static DatasetWriter locked(Path folder, Opening opening) {
    FolderLock lock =
        FolderLock.take(
            folder,
            "another run is writing the dataset in %s; wait for it or choose another folder"
                .formatted(folder));
    boolean opened = false;
    try {
      DatasetWriter writer = opening.with(lock);
      opened = true;
      return writer;
    } finally {
      if (!opened) {
        lock.close();
      }
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the writer of " + folder + " is closed");
    }
  }

  private static String version() {
    String version = DatasetWriter.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
