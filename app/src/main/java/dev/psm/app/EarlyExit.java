package dev.psm.app;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A plugin that ends the process by {@link System#exit} while a command is at work. Its code, 0 as
 * likely as not, would pass for that of a command that is done; and as the thread that called stays
 * in that call, whoever waits for it waits for ever.
 */
final class EarlyExit {
  private final Consumer<String> complaints;
  private volatile boolean done;

  private EarlyExit(Consumer<String> complaints) {
    this.complaints = complaints;
  }

  /** From now on such an exit is told and has the code 1, until the command is {@link #done}. */
  static EarlyExit watch(Consumer<String> complaints) {
    EarlyExit watch = new EarlyExit(complaints);
    Runtime.getRuntime().addShutdownHook(new Thread(watch::look, "early exit"));
    return watch;
  }

  void done() {
    done = true;
  }

  private void look() {
    if (done) {
      return;
    }
    caller()
        .ifPresent(
            place -> {
              complaints.accept(
                  "%s ended the process by System.exit before the command was done; take that call"
                          .formatted(place)
                      + " out of it");
              Runtime.getRuntime().halt(1);
            });
  }

  /** The line that ended this process; empty where a signal did. */
  static Optional<StackTraceElement> caller() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(trace -> caller(Arrays.asList(trace)).stream())
        .findFirst();
  }

  private static Optional<StackTraceElement> caller(List<StackTraceElement> trace) {
    boolean exits =
        trace.stream()
            .anyMatch(
                frame ->
                    frame.getClassName().equals(Runtime.class.getName())
                        && frame.getMethodName().equals("exit"));
    return trace.stream()
        .filter(frame -> exits && !frame.getClassName().startsWith("java.lang."))
        .findFirst();
  }
}
