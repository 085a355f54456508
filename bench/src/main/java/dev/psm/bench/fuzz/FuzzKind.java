package dev.psm.bench.fuzz;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The sorts of input that psm reads. */
public enum FuzzKind {
  MODEL,
  DATASET,
  RUN,
  FORMULA,
  TEXT,
  NPZ,
  SAFETENSORS;

  /** As a user types it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Writes sound files into an empty folder. */
  List<FuzzTarget> targets(Path folder) {
    return switch (this) {
      case MODEL -> ModelTargets.in(folder);
      case DATASET -> DataTargets.datasets(folder);
      case RUN -> DataTargets.runs(folder);
      case FORMULA -> FormulaTarget.all();
      case TEXT -> UserFileTargets.texts(folder);
      case NPZ -> NumpyTargets.in(folder);
      case SAFETENSORS -> UserFileTargets.safetensors(folder);
    };
  }
}
