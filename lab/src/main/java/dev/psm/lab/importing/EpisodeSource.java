package dev.psm.lab.importing;

import dev.psm.core.data.Columns;
import dev.psm.core.data.Episode;
import dev.psm.core.env.Space;
import dev.psm.lab.Progress;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A file, or a folder of files, that holds episodes in some format. */
interface EpisodeSource extends AutoCloseable {
  /** The column for rewards that came with the data, of the step that led to the row. */
  String REWARD = "reward";

  /** The format's name. */
  String format();

  /** What its episodes hold, known before the first is read. */
  Columns columns();

  /** What the numbers of an observation are called; empty where the file does not say. */
  default List<String> names() {
    return List.of();
  }

  /** Where actions come from, as far as the file says so; bounds may be infinite. */
  default Optional<Space> actionSpace() {
    return Optional.empty();
  }

  /** Whether an action is stored as one whole number. */
  boolean hasNumberedActions();

  /** Hands over every episode in order; may be called again. */
  void read(Consumer<Episode> episodes, Progress progress);

  @Override
  void close();
}
