package dev.psm.view.report;

import dev.psm.core.io.AtomicFiles;
import java.nio.file.Path;

/** Something that can be drawn as one SVG element. */
public interface Figure {
  /** A complete {@code <svg>} element that refers to nothing outside itself. */
  String svg();

  /** Writes the figure alone, as a file of its own. */
  default void writeTo(Path file) {
    AtomicFiles.writeText(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg());
  }
}
