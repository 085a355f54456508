package dev.psm.lab;

import dev.psm.core.io.OutputFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** Where an experiment goes: its results, beside {@code ENVIRONMENT/VARIANT/RUN} for every run. */
public final class ExperimentFolder {
  private static final List<String> RESULTS =
      List.of("table.csv", "results.json", "report.html", "figure.svg");

  private ExperimentFolder() {}

  /**
   * Refuses a folder that holds anything else.
   *
   * @param title of the experiment
   * @param isVariant whether a folder's name is that of a variant of this experiment
   * @param isRun whether a folder is that of a run of this experiment, finished or not
   */
  public static void require(
      Path folder, String title, Predicate<String> isVariant, Predicate<Path> isRun) {
    OutputFolder.holds(
        folder,
        "an experiment of the kind '" + title + "'",
        found ->
            OutputFolder.visible(found).stream()
                .allMatch(
                    file -> RESULTS.contains(name(file)) || isEnvironment(file, isVariant, isRun)));
  }

  private static boolean isEnvironment(
      Path environment, Predicate<String> isVariant, Predicate<Path> isRun) {
    return Files.isDirectory(environment)
        && OutputFolder.visible(environment).stream()
            .allMatch(
                variant ->
                    Files.isDirectory(variant)
                        && isVariant.test(name(variant))
                        && OutputFolder.visible(variant).stream().allMatch(isRun));
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }
}
