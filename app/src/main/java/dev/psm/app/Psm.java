package dev.psm.app;

import dev.psm.core.UserError;
import dev.psm.torch.CudaSupport;
import dev.psm.torch.NativeLibraries;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line's root. */
@Command(
    name = "psm",
    mixinStandardHelpOptions = true,
    versionProvider = Psm.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    header = "Zero-shot reinforcement learning: pretrain once, then any reward becomes a policy.",
    description = {
      "",
      "Learns, from reward-free experience, a basis of everything an agent could do in an environment (Proto Successor"
          + " Measure); then turns any reward into a policy in well under a second.",
      ""
    },
    footer = {
      "",
      "Start with:  ./psm demo",
      "Tests:       ./psm test",
      "Exit codes:  0 done, 1 failed, 2 wrong use"
    },
    subcommands = {
      DemoCommand.class,
      PretrainCommand.class,
      SolveCommand.class,
      EvaluateCommand.class,
      CurvesCommand.class,
      ExportCommand.class,
      ReproduceCommand.class,
      ExactCommand.class,
      EnvCommand.class,
      CollectCommand.class,
      DatasetCommand.class,
      RewardCommand.class,
      BenchCommand.class,
      DoctorCommand.class,
      BundleCommand.class,
      CacheCommand.class,
      AutoComplete.GenerateCompletion.class
    })
public final class Psm implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  public static void main(String[] arguments) {
    StandardOutput out = new StandardOutput();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    int code = execute(arguments);
    System.out.flush();
    if (out.lost() != null && code == 0) {
      System.err.println("psm: standard output could not be written: " + out.lost());
      code = 1;
    }
    System.exit(code);
  }

  /**
   * Runs a command and returns its exit code; a user's mistake is told in one sentence, never as a
   * stack trace.
   */
  static int execute(String... arguments) {
    CommandLine commandLine = new CommandLine(new Psm());
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setExecutionExceptionHandler(
        (exception, command, parsed) -> {
          if (exception instanceof UserError error) {
            System.err.println("psm: " + error.getMessage());
            return error.exitCode();
          }
          if (NativeLibraries.failure().isPresent()) {
            System.err.println("psm: " + NativeLibraries.failure().get());
            return 1;
          }
          if (String.valueOf(exception.getMessage()).contains("DefaultCPUAllocator")) {
            System.err.println(
                "psm: out of memory: libtorch cannot have as much as these settings on this map"
                    + " need; choose smaller ones");
            return 1;
          }
          if (String.valueOf(exception.getMessage()).contains("CUDA out of memory")) {
            System.err.println(
                "psm: the GPU has not enough memory for this; lower batchSize, width or the number"
                    + " of seeds at once, train on less data, or see with nvidia-smi who else uses"
                    + " it");
            return 1;
          }
          System.err.println("psm: this is a fault in psm itself, please report it:");
          exception.printStackTrace();
          return 1;
        });
    commandLine.setParameterExceptionHandler(
        (exception, line) -> {
          CommandLine command = exception.getCommandLine();
          command.getErr().println("psm: " + exception.getMessage());
          UnmatchedArgumentException.printSuggestions(exception, command.getErr());
          command.getErr().println("see: " + command.getCommandSpec().qualifiedName() + " --help");
          return 2;
        });
    try {
      return commandLine.execute(arguments);
    } catch (LinkageError error) {
      // Whoever meets libtorch first gets the loader's reason, everyone after that only an echo.
      if (NativeLibraries.failure().isEmpty()
          && !(error instanceof UnsatisfiedLinkError)
          && !String.valueOf(error.getMessage()).contains("org.bytedeco")) {
        throw error;
      }
      System.err.println(
          "psm: "
              + NativeLibraries.failure()
                  .or(CudaSupport::whyNotLoaded)
                  .orElse("a native library cannot be loaded: %s".formatted(error.getMessage())));
      return 1;
    } catch (OutOfMemoryError error) {
      System.err.println(
          "psm: out of memory; choose smaller settings, or give Java more with PSM_JAVA_OPTIONS=-Xmx8g");
      return 1;
    }
  }

  /** From the jar's manifest. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Psm.class.getPackage().getImplementationVersion();
      return new String[] {"psm " + (version == null ? "development" : version)};
    }
  }
}
