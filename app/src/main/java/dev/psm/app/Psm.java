package dev.psm.app;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.SimulationException;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.DecimalNumber;
import dev.psm.torch.CudaSupport;
import dev.psm.torch.NativeLibraries;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
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
      "As library:  ./psm install",
      "Exit codes:  0 done, 1 failed, 2 wrong use,",
      "             130 stopped by Ctrl-C (143 by SIGTERM)"
    },
    subcommands = {
      DemoCommand.class,
      PretrainCommand.class,
      SolveCommand.class,
      InferCommand.class,
      EvaluateCommand.class,
      CurvesCommand.class,
      ExportCommand.class,
      SweepCommand.class,
      ReproduceCommand.class,
      StudioCommand.class,
      ServeCommand.class,
      ExactCommand.class,
      EnvCommand.class,
      CollectCommand.class,
      DatasetCommand.class,
      RewardCommand.class,
      BenchCommand.class,
      DoctorCommand.class,
      BundleCommand.class,
      CacheCommand.class,
      TaskCommand.class,
      AutoComplete.GenerateCompletion.class
    })
public final class Psm implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = "--plugins",
      scope = ScopeType.INHERIT,
      split = ",",
      paramLabel = "DIR|JAR",
      description = "Also take worlds from these, commas between them (default: PSM_PLUGINS).")
  private List<Path> plugins;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  private void addPlugins() {
    List<Path> given = plugins != null ? plugins : pluginsIn(System.getenv("PSM_PLUGINS"));
    if (!given.isEmpty()) {
      Worlds.addPlugins(given);
    }
  }

  private static List<Path> pluginsIn(String variable) {
    return variable == null || variable.isEmpty()
        ? List.of()
        : Arrays.stream(variable.split(",")).map(Path::of).toList();
  }

  public static void main(String[] arguments) {
    // Numbers are written for programs and for pasting back, so with a point and ASCII digits.
    Locale.setDefault(Locale.ROOT);
    StandardOutput out = new StandardOutput();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    EarlyExit watch = EarlyExit.watch(Psm::complain);
    int code = execute(arguments);
    System.out.flush();
    if (out.lost() != null && code == 0) {
      complain("standard output could not be written: " + out.lost());
      code = 1;
    }
    watch.done();
    System.exit(code);
  }

  /**
   * Runs a command and returns its exit code; a user's mistake is told in one sentence, never as a
   * stack trace.
   */
  static int execute(String... arguments) {
    NativeLibraries.setListener(new UnpackingProgress(new Output()));
    Psm psm = new Psm();
    CommandLine commandLine = new CommandLine(psm);
    commandLine.setExecutionStrategy(
        parsed -> {
          try {
            psm.addPlugins();
          } catch (UserError error) {
            complain(CommandErrors.message(error));
            return CommandErrors.exitCode(error);
          }
          return new RunLast().execute(parsed);
        });
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.registerConverter(double.class, Psm::number);
    commandLine.setExecutionExceptionHandler(
        (exception, command, parsed) -> {
          if (exception instanceof UserError error) {
            complain(CommandErrors.message(error));
            return CommandErrors.exitCode(error);
          }
          if (exception instanceof SimulationException) {
            // A model of the user's may ask for more than the engine can do.
            complain(exception.getMessage());
            return 1;
          }
          if (NativeLibraries.failure().isPresent()) {
            complain(CommandErrors.message(NativeLibraries.failure().get()));
            return 1;
          }
          if (String.valueOf(exception.getMessage()).contains("DefaultCPUAllocator")) {
            complain(
                "out of memory: libtorch cannot have as much as these settings on this map"
                    + " need; choose smaller ones");
            return 1;
          }
          if (String.valueOf(exception.getMessage()).contains("CUDA out of memory")) {
            complain(
                "the GPU has not enough memory for this; lower batchSize, width or the number"
                    + " of seeds at once, train on less data, or see with nvidia-smi who else uses"
                    + " it");
            return 1;
          }
          complain(fault(exception));
          return 1;
        });
    commandLine.setParameterExceptionHandler(
        (exception, line) -> {
          CommandLine command = exception.getCommandLine();
          command.getErr().println("psm: " + Wording.printable(exception.getMessage()));
          UnmatchedArgumentException.printSuggestions(exception, command.getErr());
          formulaTakenForOption(exception, line)
              .ifPresent(
                  formula ->
                      command
                          .getErr()
                          .println(
                              Wording.printable(
                                  "a formula that begins with a minus comes after --, at the end: -- \""
                                      + formula
                                      + '"')));
          command.getErr().println("see: " + command.getCommandSpec().qualifiedName() + " --help");
          return 2;
        });
    try {
      return commandLine.execute(arguments);
    } catch (OutOfMemoryError error) {
      complain(
          "out of memory; choose smaller settings, or give Java more with PSM_JAVA_OPTIONS=-Xmx8g");
    } catch (LinkageError error) {
      complain(isOfNatives(error) ? whyNoNatives(error) : fault(error));
    } catch (Error error) {
      // A plugin may throw anything; picocli hands on what is no exception.
      complain(fault(error));
    }
    return 1;
  }

  /** Whoever meets libtorch first gets the loader's reason, everyone after that only an echo. */
  private static boolean isOfNatives(LinkageError error) {
    return NativeLibraries.failure().isPresent()
        || error instanceof UnsatisfiedLinkError
        || String.valueOf(error.getMessage()).contains("org.bytedeco");
  }

  private static String whyNoNatives(LinkageError error) {
    return NativeLibraries.failure()
        .or(CudaSupport::whyNotLoaded)
        .map(CommandErrors::message)
        .orElse("a native library cannot be loaded: %s".formatted(error.getMessage()));
  }

  private static String fault(Throwable failure) {
    String whose =
        Worlds.pluginIn(failure)
            .map("a plugin failed in %s, please report it to its author"::formatted)
            .orElse("this is a fault in psm itself, please report it");
    if (failure instanceof StackOverflowError) {
      // Its trace is a thousand times the same few lines.
      return "%s: methods call each other without end, the last in %s"
          .formatted(whose, Worlds.placeInPlugin(failure).orElse(failure.getStackTrace()[0]));
    }
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    return whose + ":\n" + trace;
  }

  private static Optional<String> formulaTakenForOption(
      ParameterException exception, String[] line) {
    if (!(exception instanceof MissingParameterException missing)
        || missing.getMissing().stream().noneMatch(each -> each.paramLabel().equals("FORMULA"))) {
      return Optional.empty();
    }
    Set<String> options = exception.getCommandLine().getCommandSpec().optionsMap().keySet();
    return Arrays.stream(line)
        .filter(word -> word.startsWith("-") && !word.startsWith("--") && !options.contains(word))
        .findFirst();
  }

  private static void complain(String text) {
    System.err.println("psm: " + Wording.printable(text));
  }

  private static double number(String text) {
    return DecimalNumber.parse(text)
        .map(BigDecimal::doubleValue)
        .filter(Double::isFinite)
        .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a decimal number"));
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
