package dev.psm.lab.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.FolderLock;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.io.OutputFolder;
import dev.psm.zeroshot.AgentFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A run on disk:
 *
 * <pre>
 *   run.json                      everything that decides the run; written first
 *   result.json                   how it ended; written last
 *   seed-0/checkpoints/step-000010000.safetensors   everything that training needs to go on
 *   seed-0/metrics.jsonl          the learning curve
 *   seed-0/events.out.tfevents.*  the same for TensorBoard
 *   seed-0/model.json, model.safetensors            the agent as last evaluated, for use
 *   seed-0/grade.json             what a finite world's agent is worth, after the last step
 *   .replaced/                    the run that this one replaces, until its first checkpoint
 * </pre>
 */
public final class RunFolder {
  private static final String RESULT = "result.json";
  private static final String CHECKPOINTS = "checkpoints";
  private static final Pattern TEMPORARY = Pattern.compile("\\..+\\.tmp");

  private final Path folder;

  public RunFolder(Path folder) {
    OutputFolder.requirePlace(folder);
    this.folder = folder;
  }

  public Path path() {
    return folder;
  }

  public Path seed(long seed) {
    return AgentFolder.seedFolder(folder, seed);
  }

  Path checkpoints(long seed) {
    return seed(seed).resolve(CHECKPOINTS);
  }

  FolderLock lock() {
    return FolderLock.take(
        folder,
        "another process is training into %s; wait for it, stop it, or choose another folder"
            .formatted(folder));
  }

  /** Refuses a folder in which a new run would mix with something else. */
  public void requireFree(boolean replace) {
    if (OutputFolder.holds(folder, "a run", AgentFolder::isRun) && !replace) {
      throw UserError.argument(
              "out",
              "%s already holds a run; resume it, replace it, or choose another folder",
              folder)
          .with(Remedy.RESUME_OR_REPLACE);
    }
  }

  /** What the run is; refused where there is none. */
  public RunDescription description() {
    if (!AgentFolder.isRun(folder)) {
      boolean model = Files.exists(folder.resolve("model.json"));
      UserError refusal =
          UserError.invalid(
              "%s holds no run to resume: there is no %s in it; %s",
              folder,
              AgentFolder.RUN,
              model
                  ? "its model.json is a finished model, which has nothing to go on with"
                  : "give the folder of one, or start one");
      throw model ? refusal : refusal.with(Remedy.PRETRAIN);
    }
    return RunDescription.read(folder.resolve(AgentFolder.RUN));
  }

  void write(RunDescription run) {
    Json.write(folder.resolve(AgentFolder.RUN), run.toJson());
  }

  /** The step that the run ended with, if it did. */
  public Optional<Long> finishedAt() {
    Path file = folder.resolve(RESULT);
    return Files.isRegularFile(file)
        ? Optional.of(JsonField.read(file).get("steps").whole(0, Long.MAX_VALUE))
        : Optional.empty();
  }

  /**
   * What a seed was worth as it learned; empty before its first evaluation. Where the run has ended
   * without its last evaluation in the log, the one before would pass for the result: refused.
   */
  public Optional<LearningCurve> curve(long seed) {
    Optional<Long> end = finishedAt();
    LearningCurve curve = LearningCurve.read(seed(seed));
    Optional<LearningCurve> found =
        curve.points().isEmpty() ? Optional.empty() : Optional.of(curve);
    if (end.isPresent() && found.filter(it -> it.last().step() == end.get()).isEmpty()) {
      throw UserError.invalid(
          "%s: there is no evaluation of step %d, after which the run has ended; delete %s to have"
              + " it evaluated again",
          seed(seed).resolve(MetricsLog.NAME), end.get(), folder.resolve(RESULT));
    }
    return found;
  }

  /** The seeds of the run of which there is no whole model to be used. */
  public List<Long> seedsWithoutModel() {
    return description().seeds().stream().filter(seed -> !hasModel(seed)).toList();
  }

  boolean hasModel(long seed) {
    return AgentFolder.holdsModel(seed(seed));
  }

  void finish(ObjectNode result) {
    Json.write(folder.resolve(RESULT), result);
  }

  void clearResult() {
    delete(folder.resolve(RESULT));
  }

  void clearGrades() {
    AgentFolder.seedFolders(folder).values().forEach(FiniteGrade::delete);
  }

  /** What a run has done: all of it but run.json, and first what marks it as finished. */
  List<Path> products() {
    List<Path> products = new ArrayList<>();
    Path result = folder.resolve(RESULT);
    if (Files.exists(result)) {
      products.add(result);
    }
    products.addAll(AgentFolder.seedFolders(folder).values());
    return products;
  }

  /** Whether every seed has a checkpoint. */
  boolean hasCheckpoint() {
    Collection<Path> seeds = AgentFolder.seedFolders(folder).values();
    return !seeds.isEmpty()
        && seeds.stream()
            .noneMatch(seed -> OutputFolder.visible(seed.resolve(CHECKPOINTS)).isEmpty());
  }

  /** Removes what a run has done; run.json stays, so that whatever is left is still a run's. */
  void clear() {
    products().forEach(RunFolder::deleteTree);
    sweep();
  }

  /** Removes a run that has done nothing. */
  void remove() {
    clear();
    delete(folder.resolve(AgentFolder.RUN));
  }

  /** Removes what a kill left of files that were being written; only for who has the lock. */
  void sweep() {
    sweep(folder);
    for (Path seed : AgentFolder.seedFolders(folder).values()) {
      sweep(seed);
      sweep(seed.resolve(CHECKPOINTS));
    }
  }

  private static void sweep(Path folder) {
    OutputFolder.list(folder).stream()
        .filter(file -> TEMPORARY.matcher(file.getFileName().toString()).matches())
        .forEach(RunFolder::delete);
  }

  static void deleteTree(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      files.sorted(Comparator.reverseOrder()).forEach(RunFolder::delete);
    } catch (IOException e) {
      throw AtomicFiles.explain("delete", root, e);
    }
  }

  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw AtomicFiles.explain("delete", file, e);
    }
  }
}
