package dev.psm.lab.collect;

import dev.psm.lab.Progress;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * What a collection meets outside.
 *
 * @param notes where remarks about the work go
 * @param stop whether somebody wants it to stop; asked after every step of all environments
 */
public record CollectionContext(Progress progress, Consumer<String> notes, BooleanSupplier stop) {
  /** Of one that nobody stops or wants remarks about. */
  public static CollectionContext of(Progress progress) {
    return new CollectionContext(progress, remark -> {}, () -> false);
  }
}
