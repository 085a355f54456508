package dev.psm.core.data;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.FolderLock;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes one dataset of several: their files, in the order of the parts, under new names. No row is
 * read. The files are shared with the parts by hard links where the file system has them, and
 * copied elsewhere, so the parts stay whole; the manifest is written last, so gathering that was
 * killed can be done again.
 */
public final class DatasetGathering {
  private DatasetGathering() {}

  /**
   * Gathers datasets of one world and one collector.
   *
   * @param folder of the dataset to be; it holds none yet
   * @param seed of the whole
   * @param settings of the whole, which say how the parts came about
   */
  public static void gather(Path folder, List<Path> parts, long seed, ObjectNode settings) {
    try (FolderLock lock =
        FolderLock.take(
            folder,
            "another run is writing the dataset in %s; wait for it or choose another folder"
                .formatted(folder))) {
      if (Manifest.isIn(folder)) {
        throw UserError.invalid("%s already holds a dataset", folder);
      }
      List<Manifest> manifests = parts.stream().map(Manifest::read).toList();
      DatasetDescription first = manifests.get(0).description();
      List<Manifest.ChunkEntry> chunks = new ArrayList<>();
      for (int part = 0; part < parts.size(); part++) {
        requireAlike(first, manifests.get(part).description(), parts.get(part));
        for (Manifest.ChunkEntry entry : manifests.get(part).chunks()) {
          String name = Manifest.chunkName(chunks.size());
          Manifest.FileEntry stored = entry.stored();
          share(parts.get(part).resolve(stored.file()), folder.resolve(name));
          chunks.add(
              new Manifest.ChunkEntry(
                  new Manifest.FileEntry(name, stored.bytes(), stored.sha256()),
                  entry.episodes(),
                  entry.rows()));
        }
      }
      DatasetDescription whole =
          new DatasetDescription(
              first.environment(),
              first.stored(),
              first.engine(),
              first.collector(),
              settings,
              seed,
              first.columns());
      String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
      new Manifest(whole, manifests.get(0).psm(), now, chunks, Optional.empty()).write(folder);
    }
  }

  private static void requireAlike(DatasetDescription first, DatasetDescription other, Path part) {
    boolean alike =
        first.environment().equals(other.environment())
            && first.columns().equals(other.columns())
            && first.engine().equals(other.engine())
            && first.collector().equals(other.collector());
    if (!alike) {
      throw UserError.failed(
          null,
          "%s was collected by %s in %s on %s, unlike the first part (%s in %s on %s), so they are"
              + " not of one dataset",
          part,
          other.collector(),
          other.environment(),
          other.engine(),
          first.collector(),
          first.environment(),
          first.engine());
    }
  }

  private static void share(Path from, Path to) {
    try {
      Files.deleteIfExists(to);
      try {
        Files.createLink(to, from);
      } catch (UnsupportedOperationException | FileSystemException noLinks) {
        Path temporary = to.resolveSibling("." + to.getFileName() + ".0.tmp");
        Files.copy(from, temporary, StandardCopyOption.REPLACE_EXISTING);
        AtomicFiles.force(temporary);
        Files.move(temporary, to, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw AtomicFiles.explain("write", to, e);
    }
  }
}
