package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.rnd.ExplorerSettings;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.FolderLock;
import dev.psm.core.io.Json;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.pass.PassWork;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Brings a part of a collection to its end, from wherever it is. */
public final class CollectionWork extends PassWork {
  static final String ADDED = "added";
  static final String SECONDS = "seconds";
  static final String PHYSICS = "physicsSeconds";
  static final String EXPLORER = "explorerSeconds";
  static final String WRITING = "writingSeconds";
  static final String DIVERGENCES = "divergences";

  private static final String BUSY = "busy";
  private static final long MEMORY = 400_000_000;

  @Override
  protected Optional<ObjectNode> performPart(ObjectNode task, WorkContext context) {
    CollectionPart part = CollectionPart.of(task);
    if (!isFree(part.folder())) {
      return Optional.of(Json.object().put(BUSY, true));
    }
    Collection.Result result = part.collect(context);
    if (!result.finished()) {
      return Optional.empty();
    }
    return Optional.of(
        Json.object()
            .put(ADDED, result.added())
            .put(SECONDS, result.seconds())
            .put(PHYSICS, result.physicsSeconds())
            .put(EXPLORER, result.explorerSeconds())
            .put(WRITING, result.writingSeconds())
            .put(DIVERGENCES, result.divergences()));
  }

  /** A machine that lost touch goes on for a moment, and has the part until then. */
  private static boolean isFree(Path folder) {
    try {
      Optional<FolderLock> lock = FolderLock.tryTake(folder);
      lock.ifPresent(FolderLock::close);
      return lock.isPresent();
    } catch (IOException e) {
      throw AtomicFiles.explain("write", folder, e);
    }
  }

  @Override
  public boolean isBusy(ObjectNode answer) {
    return answer.path(BUSY).asBoolean();
  }

  /** Environments and libraries, and what a curious explorer replays. */
  @Override
  public long memoryBytes(ObjectNode task) {
    CollectionPart part = CollectionPart.of(task);
    long row = (long) part.world().observationSize() + part.world().actionSize() + 2;
    return part.settings()
        .filter(ExplorerSettings.class::isInstance)
        .map(ExplorerSettings.class::cast)
        .map(explorer -> MEMORY + Float.BYTES * row * explorer.replayCapacity())
        .orElse(MEMORY);
  }

  @Override
  public List<Path> sharedFolders(ObjectNode task) {
    return List.of(CollectionPart.of(task).folder().getParent());
  }

  /** A GPU is one part's at a time. */
  @Override
  public int threads(ObjectNode task) {
    CollectionPart part = CollectionPart.of(task);
    return part.precision().isPresent()
        ? Runtime.getRuntime().availableProcessors()
        : part.plan().threads();
  }

  /** What parts tell is counted, and what they collect lies in folders of their own. */
  @Override
  public boolean isInOrder() {
    return false;
  }
}
