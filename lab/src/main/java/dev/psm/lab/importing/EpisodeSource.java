package dev.psm.lab.importing;

import dev.psm.core.data.Columns;
import dev.psm.core.data.Episode;
import dev.psm.lab.Progress;
import java.util.function.Consumer;

/** A file, or a folder of files, that holds episodes in some format. */
interface EpisodeSource extends AutoCloseable {
  /** The format's name. */
  String format();

  /** What its episodes hold, known before the first is read. */
  Columns columns();

  /** Hands over every episode in order. */
  void read(Consumer<Episode> episodes, Progress progress);

  @Override
  void close();
}
