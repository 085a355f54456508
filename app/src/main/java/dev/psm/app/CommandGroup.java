package dev.psm.app;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only holds others, and so asks which one was meant. */
abstract class CommandGroup implements Runnable {
  @Spec private CommandSpec spec;
  private final String missing;

  CommandGroup(String missing) {
    this.missing = missing;
  }

  @Override
  public final void run() {
    throw new ParameterException(spec.commandLine(), missing + " is missing");
  }
}
