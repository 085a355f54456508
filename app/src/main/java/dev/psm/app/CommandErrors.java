package dev.psm.app;

import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * A library's errors as the command tells them: with its exit codes and the names of its options.
 */
final class CommandErrors {
  private CommandErrors() {}

  static int exitCode(UserError error) {
    return switch (error.kind()) {
      case INVALID -> 2;
      case FAILED -> 1;
    };
  }

  static String message(UserError error) {
    String message = error.getMessage();
    String told =
        error
            .argument()
            .map(name -> option(name) + message.substring(name.length()))
            .orElse(message);
    return error
        .remedy()
        .map(remedy -> "%s (%s)".formatted(told, words(remedy, error.subject())))
        .orElse(told);
  }

  /** Such as {@code --from-step} for {@code fromStep}. */
  private static String option(String argument) {
    return "--" + argument.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  private static String words(Remedy remedy, Optional<String> subject) {
    return switch (remedy) {
      case REPLACE -> "--force replaces it";
      case RESUME_OR_REPLACE -> "--resume goes on with it, --force replaces it";
      case RESUME ->
          "./psm pretrain --out %s --resume"
              .formatted(subject.map(CommandErrors::path).orElse("DIR"));
      case RESUME_FROM -> "--resume --from-step " + subject.orElse("STEP");
      case START_OVER -> "--resume --from-step 0";
      case PRETRAIN -> "./psm pretrain writes one";
      case LOCATE_DATA -> "--data DIR";
      case OBTAIN_DATA -> "--collect 1000000, ./psm dataset import, --data DIR";
      case COLLECT_DATA -> "--collect-steps 1000000, --data DIR";
      case CHECK_DATA ->
          "./psm dataset check %s tells how many rows are wrong"
              .formatted(subject.map(CommandErrors::path).orElse("DIR"));
      case EXPORT_AGAIN -> "./psm export --force";
      case EXPORT_ACTOR -> "./psm export --onnx";
      case LIST_REWARDS -> "see ./psm reward list " + subject.orElse("ENV");
      case POLICY_IMPROVEMENT -> "--method gpi";
      case USE_CPU -> "--device cpu";
      case USE_CPU_BUILD -> "in a checkout --device cpu, else a bundle for linux-x86_64";
      case USE_GPU_BUILD ->
          "run with --device cuda or PSM_DEVICE=cuda, or make the bundle with --platform"
              + " linux-x86_64-gpu";
      case FETCH_LIBRARIES -> "in a checkout ./psm does";
    };
  }

  /** As a word of a command to copy. */
  private static String path(String subject) {
    return Wording.shell(Path.of(subject));
  }
}
