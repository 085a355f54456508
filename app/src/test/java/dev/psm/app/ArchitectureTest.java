package dev.psm.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Data flows one way through the rooms, and what is heavy stays behind its own door. */
class ArchitectureTest {
  private static final List<String> ROOMS =
      List.of("core", "torch", "mujoco", "agents", "zeroshot", "lab", "bench", "app");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.psm");

  @ParameterizedTest
  @ValueSource(strings = {"core", "torch", "mujoco", "agents", "zeroshot", "lab", "bench", "app"})
  void everyRoomIsLookedAt(String room) {
    assertTrue(CLASSES.stream().anyMatch(type -> type.getPackageName().startsWith(in(room))), room);
  }

  @ParameterizedTest
  @ValueSource(strings = {"core", "torch", "mujoco", "agents", "zeroshot", "lab", "bench"})
  void noRoomUsesALaterOne(String room) {
    String[] later =
        ROOMS.subList(ROOMS.indexOf(room) + 1, ROOMS.size()).stream()
            .map(name -> in(name) + "..")
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(in(room) + "..")
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

  /** Who only uses a model carries no file formats of others and draws nothing. */
  @Test
  void usingAModelNeedsNeitherHdf5NorReports() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.psm.core..", "dev.psm.torch..", "dev.psm.agents..", "dev.psm.zeroshot..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.jhdf..", "com.sun.jna..", "org.slf4j..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("dev.psm.zeroshot..")
        .should()
        .dependOnClassesThat()
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
  void packagesOfAgentsFormNoCycle() {
    slices().matching("dev.psm.agents.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void packagesOfMujocoFormNoCycle() {
    slices().matching("dev.psm.mujoco.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  private static String in(String room) {
    return "dev.psm." + room;
  }
}
