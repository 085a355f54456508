package dev.psm.app;

import dev.psm.core.UserError;
import java.util.Arrays;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Which options a command line has, for commands whose options depend on each other. */
final class MatchedOptions {
  private final CommandSpec spec;

  MatchedOptions(CommandSpec spec) {
    this.spec = spec;
  }

  boolean has(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** Refuses every option that a class declares. */
  void refuse(String reason, Class<?> group) {
    Arrays.stream(group.getDeclaredFields())
        .filter(field -> field.isAnnotationPresent(Option.class))
        .forEach(field -> refuse(reason, field.getAnnotation(Option.class).names()));
  }

  /** Refuses options by name. */
  void refuse(String reason, String... options) {
    for (String option : options) {
      if (has(option)) {
        throw UserError.invalid("%s %s", option, reason);
      }
    }
  }
}
