package dev.psm.agents;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import dev.psm.torch.CudaSupport;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests that need a GPU, in a checkout and in a bundle alike: {@code psm test --device
 * cuda}. Where none of them could run, that is a failure: whoever asks wants them run.
 */
public final class GpuTests implements TestExecutionListener {
  private static final String TAG = "gpu";
  private static final int STACK_LINES = 12;

  /** How JUnit names a class in the path to a test. */
  private static final String CLASS = "class";

  /** What JUnit puts before the reason. */
  private static final String ASSUMPTION = "Assumption failed: ";

  private final PrintStream out;
  private final Set<String> reasons = new TreeSet<>();
  private final Map<String, Counts> classes = new HashMap<>();

  /** The tests of a class. */
  private static final class Counts {
    private int passed;
    private int failed;
    private int skipped;
  }

  private GpuTests(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    int code = run(System.out, arguments);
    System.out.flush();
    System.exit(code);
  }

  /**
   * Runs tests and returns the exit code.
   *
   * @param arguments parts of names of test classes, for those alone; the device as users of the
   *     launchers give it
   */
  static int run(PrintStream out, String... arguments) {
    List<String> names = new ArrayList<>(List.of(arguments));
    names.remove("--device=cuda");
    int device = names.indexOf("--device");
    if (device >= 0 && device + 1 < names.size() && names.get(device + 1).equals("cuda")) {
      names.subList(device, device + 2).clear();
    }
    Optional<String> option = names.stream().filter(name -> name.startsWith("-")).findFirst();
    if (option.isPresent()) {
      out.println("psm: test --device cuda has no option " + option.get() + "; name test classes");
      return 2;
    }
    GpuTests tests = new GpuTests(out);
    long start = System.nanoTime();
    Launcher launcher = LauncherFactory.create();
    launcher.execute(request(names), tests);
    return tests.conclude((System.nanoTime() - start) / 1e9);
  }

  private static LauncherDiscoveryRequest request(List<String> names) {
    String any = names.stream().map(Pattern::quote).collect(Collectors.joining("|"));
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectPackage("dev.psm"))
        .filters(
            ClassNameFilter.includeClassNamePatterns(".*(" + any + ").*Test"),
            TagFilter.includeTags(TAG))
        .build();
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Optional<Throwable> cause = result.getThrowable();
    if (test.isTest() || cause.isPresent()) {
      count(test, result.getStatus(), cause);
    }
    if (test.getUniqueIdObject().getLastSegment().getType().equals(CLASS)) {
      tell(className(test), counts(test));
    }
  }

  private Counts counts(TestIdentifier test) {
    return classes.computeIfAbsent(className(test), any -> new Counts());
  }

  private void count(
      TestIdentifier test, TestExecutionResult.Status status, Optional<Throwable> cause) {
    Counts counts = counts(test);
    switch (status) {
      case SUCCESSFUL -> counts.passed++;
      case ABORTED -> {
        counts.skipped++;
        cause.ifPresent(reason -> reasons.add(reason.getMessage().replace(ASSUMPTION, "")));
      }
      case FAILED -> {
        counts.failed++;
        tell(test, cause.orElseThrow());
      }
    }
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    counts(test).skipped++;
    reasons.add(reason);
  }

  private void tell(String name, Counts counts) {
    out.printf(
        Locale.ROOT,
        "%-45s %3d passed %3d failed %3d skipped%n",
        name,
        counts.passed,
        counts.failed,
        counts.skipped);
  }

  private void tell(TestIdentifier test, Throwable cause) {
    String method =
        test.getSource()
            .filter(MethodSource.class::isInstance)
            .map(source -> "." + ((MethodSource) source).getMethodName())
            .orElse("");
    out.println("FAILED " + className(test) + method + " " + test.getDisplayName());
    out.println("  " + cause);
    StackTraceElement[] stack = cause.getStackTrace();
    for (int i = 0; i < Math.min(STACK_LINES, stack.length); i++) {
      out.println("    at " + stack[i]);
    }
  }

  private static String className(TestIdentifier test) {
    return test.getUniqueIdObject().getSegments().stream()
        .filter(segment -> segment.getType().equals(CLASS))
        .map(segment -> segment.getValue())
        .findFirst()
        .orElse(test.getDisplayName());
  }

  private int conclude(double seconds) {
    int passed = 0;
    int failed = 0;
    int skipped = 0;
    for (Counts counts : classes.values()) {
      passed += counts.passed;
      failed += counts.failed;
      skipped += counts.skipped;
    }
    reasons.forEach(reason -> out.println("skipped: " + reason));
    if (passed + failed == 0) {
      out.println(
          skipped == 0 ? "psm: no such test of a GPU" : "psm: none of the GPU's tests could run");
      return 1;
    }
    out.printf(
        Locale.ROOT,
        "%s: %d passed, %d failed, %d skipped in %.0f s%n",
        CudaSupport.problem().isEmpty() ? CudaSupport.gpu().name() : "no GPU",
        passed,
        failed,
        skipped,
        seconds);
    return failed == 0 ? 0 : 1;
  }
}
