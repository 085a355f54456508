package dev.psm.bench.fuzz;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The sorts of input that psm reads. */
public enum FuzzKind {
  MODEL(ModelTargets::in),
  DATASET(DataTargets::datasets),
  RUN(DataTargets::runs),
  FORMULA(folder -> FormulaTarget.all()),
  TEXT(UserFileTargets::texts),
  NPZ(NumpyTargets::in),
  SAFETENSORS(UserFileTargets::safetensors);

  private final Function<Path, List<FuzzTarget>> targets;

  FuzzKind(Function<Path, List<FuzzTarget>> targets) {
    this.targets = targets;
  }

  /** As a user types it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Writes sound files into an empty folder. */
  List<FuzzTarget> targets(Path folder) {
    return targets.apply(folder);
  }
}
