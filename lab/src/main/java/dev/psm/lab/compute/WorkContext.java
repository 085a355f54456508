package dev.psm.lab.compute;

import dev.psm.lab.Progress;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * What work meets outside.
 *
 * @param notes where remarks about the work go
 * @param stop whether somebody wants it to stop
 */
public record WorkContext(Progress progress, Consumer<String> notes, BooleanSupplier stop) {
  /** Of work that nobody stops or wants remarks about. */
  public static WorkContext of(Progress progress) {
    return new WorkContext(progress, remark -> {}, () -> false);
  }
}
