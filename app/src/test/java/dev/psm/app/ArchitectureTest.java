package dev.psm.app;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.psm.torch.Handles;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Data flows one way through the modules, and what is heavy stays in a module of its own. */
class ArchitectureTest {
  private static final List<String> MODULES =
      List.of(
          "core",
          "torch",
          "mujoco",
          "view",
          "agents",
          "zeroshot",
          "lab",
          "spark",
          "studio",
          "bench",
          "app");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.psm");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "core",
        "torch",
        "mujoco",
        "view",
        "agents",
        "zeroshot",
        "lab",
        "spark",
        "studio",
        "bench",
        "app"
      })
  void everyModuleIsLookedAt(String module) {
    assertTrue(
        CLASSES.stream().anyMatch(type -> type.getPackageName().startsWith(in(module))), module);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "core",
        "torch",
        "mujoco",
        "view",
        "agents",
        "zeroshot",
        "lab",
        "spark",
        "studio",
        "bench"
      })
  void noModuleUsesALaterOne(String module) {
    String[] later =
        MODULES.subList(MODULES.indexOf(module) + 1, MODULES.size()).stream()
            .map(name -> in(name) + "..")
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(in(module) + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(later)
        .check(CLASSES);
  }

  @Test
  void onlyTorchAndAgentsTouchLibtorch() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.psm.torch..", "dev.psm.agents..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.bytedeco..")
        .check(CLASSES);
  }

  /** What they return keeps neither alive: it would be freed while it is in use. */
  @Test
  void onlyHandlesLookIntoTuplesAndVectorsOfTensors() {
    DescribedPredicate<JavaCall<?>> partOfSeveral =
        DescribedPredicate.describe(
            "a part of a tuple or a vector of tensors",
            call ->
                call.getTargetOwner().getSimpleName().matches("T_.*_T|TensorVector")
                    && call.getName().matches("get\\d?|begin|front|back"));
    noClasses()
        .that()
        .doNotBelongToAnyOf(Handles.class)
        .should()
        .callCodeUnitWhere(partOfSeveral)
        .check(CLASSES);
  }

  @Test
  void mujocoAndTheLearnersKnowNothingOfEachOther() {
    noClasses()
        .that()
        .resideInAPackage("dev.psm.mujoco..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.psm.torch..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage("dev.psm.agents..", "dev.psm.zeroshot..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.psm.mujoco..")
        .check(CLASSES);
  }

  /** Who only uses a model carries no file formats of others. */
  @Test
  void usingAModelNeedsNoHdf5() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.psm.core..", "dev.psm.torch..", "dev.psm.agents..", "dev.psm.zeroshot..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.jhdf..", "com.sun.jna..", "org.slf4j..")
        .check(CLASSES);
  }

  @Test
  void viewUsesOnlyCore() {
    noClasses()
        .that()
        .resideInAPackage("dev.psm.view..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.psm..")
                .and(resideOutsideOfPackages("dev.psm.core..", "dev.psm.view..")))
        .check(CLASSES);
  }

  /** Who only has a world or a model draws nothing: a world describes its scene, no more. */
  @Test
  void onlyExperimentsAndTheirCommandsDraw() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.psm.core..",
            "dev.psm.torch..",
            "dev.psm.mujoco..",
            "dev.psm.agents..",
            "dev.psm.zeroshot..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.psm.view..")
        .check(CLASSES);
    noClasses()
        .should()
        .resideInAnyPackage("dev.psm.core.report..", "dev.psm.core.render..")
        .check(CLASSES);
  }

  @Test
  void onlyMujocoTouchesItsLibrary() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.psm.mujoco..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.sun.jna..")
        .check(CLASSES);
  }

  /** It is fetched only for who asks for a cluster, so nothing else may need it. */
  @Test
  void sparkIsFoundAsAServiceOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.psm.spark..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.psm.spark..", "org.apache.spark..", "scala..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("dev.psm.spark..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.psm..")
                .and(resideOutsideOfPackages("dev.psm.core..", "dev.psm.lab..", "dev.psm.spark..")))
        .check(CLASSES);
  }

  @Test
  void onlyTheAppParsesACommandLine() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.psm.app..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("picocli..")
        .check(CLASSES);
  }

  /** They see to it that what is printed is fit for a terminal. */
  @Test
  void onlyTheCommandLineAndItsOutputPrint() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(Psm.class, Output.class)
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(Throwable.class, "printStackTrace")
        .check(CLASSES);
  }

  @Test
  void packagesOfCoreFormNoCycle() {
    slices().matching("dev.psm.core.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void packagesOfViewFormNoCycle() {
    slices().matching("dev.psm.view.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void packagesOfAgentsFormNoCycle() {
    slices().matching("dev.psm.agents.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void packagesOfMujocoFormNoCycle() {
    slices().matching("dev.psm.mujoco.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  private static String in(String module) {
    return "dev.psm." + module;
  }
}
