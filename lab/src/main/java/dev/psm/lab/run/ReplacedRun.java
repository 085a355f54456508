package dev.psm.lab.run;

import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.OutputFolder;
import dev.psm.zeroshot.AgentFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The run that a new one replaces, kept in a hidden folder beside it until the new one has a
 * checkpoint. All of this is only for who has the folder's lock.
 *
 * <p>A run is aside when its {@code run.json} is there: that comes last on the way there and goes
 * first on the way back, so that what a kill interrupted can be told and ended.
 */
final class ReplacedRun {

  /** Under this name a run is being deleted, which a kill may interrupt as well. */
  static final String DOOMED = ".deleted";

  private final RunFolder folder;
  private final Path aside;

  ReplacedRun(RunFolder folder) {
    this.folder = folder;
    this.aside = folder.path().resolve(AgentFolder.REPLACED);
  }

  boolean exists() {
    return AgentFolder.isRun(aside);
  }

  /** Ends what a kill interrupted: a run that is only partly aside comes back. */
  void recover() {
    if (Files.isDirectory(aside) && !exists()) {
      moveBack();
    }
  }

  /** Clears the folder for a new run; what is aside already stays, if nothing came after it. */
  void setAside() {
    recover();
    if (exists() && !folder.hasCheckpoint()) {
      folder.clear();
      return;
    }
    drop();
    folder.sweep();
    if (!AgentFolder.isRun(folder.path())) {
      return;
    }
    for (Path file : folder.products()) {
      move(file, aside.resolve(file.getFileName()));
    }
    // The original stays until the new run's takes its place: the folder is a run's all the time.
    Path description = folder.path().resolve(AgentFolder.RUN);
    AtomicFiles.write(aside.resolve(AgentFolder.RUN), out -> Files.copy(description, out));
  }

  /** Brings the run back in place of the new one. */
  void restore() {
    folder.clear();
    move(aside.resolve(AgentFolder.RUN), folder.path().resolve(AgentFolder.RUN));
    moveBack();
  }

  private void moveBack() {
    OutputFolder.list(aside).forEach(file -> move(file, folder.path().resolve(file.getFileName())));
    RunFolder.delete(aside);
  }

  /** The new run can stand for itself. */
  void drop() {
    Path doomed = folder.path().resolve(DOOMED);
    if (Files.isDirectory(doomed)) {
      RunFolder.deleteTree(doomed);
    }
    if (Files.isDirectory(aside)) {
      move(aside, doomed);
      RunFolder.deleteTree(doomed);
    }
  }

  private static void move(Path from, Path to) {
    try {
      Files.createDirectories(to.getParent());
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw AtomicFiles.explain("write", to, e);
    }
  }
}
