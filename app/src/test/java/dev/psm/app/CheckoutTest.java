package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** When the launcher of a checkout builds; Java and Maven only look like them. */
@EnabledOnOs(OS.LINUX)
class CheckoutTest {
  private static final String SETTINGS = "app/src/main/resources/dev/psm/app/bundle/settings.sh";

  @TempDir private Path folder;
  private Path checkout;
  private Path library;

  @BeforeEach
  void makeCheckout() throws IOException {
    checkout = folder.resolve("a b");
    Files.createDirectories(checkout.resolve(SETTINGS).getParent());
    Files.createDirectory(checkout.resolve(".mvn"));
    Files.copy(Path.of("../psm"), checkout.resolve("psm"));
    Files.copy(Path.of("..", SETTINGS), checkout.resolve(SETTINGS));
    for (String pom : new String[] {"pom.xml", "app/pom.xml"}) {
      Files.writeString(checkout.resolve(pom), "");
    }
    Files.createDirectory(folder.resolve("repository"));
    library = Files.writeString(folder.resolve("repository/library.jar"), "");
    Files.createDirectories(folder.resolve("jdk/bin"));
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    program(
        "jdk/bin/java",
        "while [ \"$1\" != -cp ]; do shift; done; echo \"$2\" | tr : '\\n' | tail -n 2");
    program("jdk/bin/javac", "");
    // It gets back what is missing, as Maven does.
    program(
        "bin/mvn",
        "touch '%s' lab.jar; mkdir -p app/target lab/target; touch app/target/psm-app.jar lab/target/psm-lab.jar"
                .formatted(library)
            + "; printf '%s' \"$PWD/lab/target/psm-lab.jar:"
            + library
            + "\" >app/target/classpath");
  }

  @Test
  void itBuildsOnceAndThenRuns() throws Exception {
    Said first = psm(checkout);
    assertTrue(first.text().contains("psm: building"), first.text());
    assertEquals(kept(checkout) + "/psm-lab.jar\n" + library + "\n", psm(checkout).text());
  }

  @Test
  void aJarThatIsGoneIsBuiltAgain() throws Exception {
    psm(checkout);
    for (Path jar :
        new Path[] {
          library,
          checkout.resolve("lab/target/psm-lab.jar"),
          checkout.resolve("app/target/psm-app.jar")
        }) {
      Files.delete(jar);
      Said said = psm(checkout);
      assertEquals(0, said.code(), said.text());
      assertTrue(said.text().contains("psm: building"), jar + ": " + said.text());
      assertTrue(Files.exists(jar), jar.toString());
    }
  }

  @Test
  void aCopyRunsItsOwnJars() throws Exception {
    psm(checkout);
    Path copy = folder.resolve("copy");
    assertEquals(0, run("cp", "-r", checkout.toString(), copy.toString()).code());
    Said said = psm(copy);
    assertTrue(said.text().contains("psm: building"), said.text());
    assertEquals(kept(copy) + "/psm-lab.jar\n" + library + "\n", psm(copy).text());
  }

  @Test
  void whatRunsKeepsItsJarsWhenOthersAreBuilt() throws Exception {
    psm(checkout);
    Path before = kept(checkout).resolve("psm-lab.jar");
    assertEquals("", Files.readString(before));
    program("bin/mvn", "echo new >lab/target/psm-lab.jar");
    Files.writeString(checkout.resolve("pom.xml"), "<!-- changed -->");
    psm(checkout);
    assertEquals("", Files.readString(before));
    Path after = kept(checkout).resolve("psm-lab.jar");
    assertEquals("new\n", Files.readString(after));
    assertEquals(after + "\n" + library + "\n", psm(checkout).text());
  }

  /** Where the last build's jars are run from. */
  private static Path kept(Path checkout) throws IOException {
    String built = Files.readString(checkout.resolve("app/target/.built"));
    return checkout.resolve("app/target/kept").resolve(built.replaceAll("[^0-9A-Za-z]", "-"));
  }

  @Test
  void installIsMavensWithSourcesAndJavadoc() throws Exception {
    program("bin/mvn", "echo \"$@\"");
    Said said = psm(checkout, "install", "-Dmaven.repo.local=/elsewhere");
    assertEquals(0, said.code(), said.text());
    List<String> told = List.of(said.text().split("\\s+"));
    assertTrue(
        told.containsAll(List.of("-Prelease", "install", "-Dmaven.repo.local=/elsewhere")),
        said.text());
    program("bin/mvn", "exit 7");
    assertEquals(1, psm(checkout, "install").code());
  }

  @Test
  void fastTestsAreThoseThatAreNotSlow() throws Exception {
    program("bin/mvn", "echo \"$@\"");
    program("bin/ldconfig", "echo libmujoco.so.2.2.2");
    Said fast = psm(checkout, "test", "--fast", "-pl", "core");
    assertEquals(0, fast.code(), fast.text());
    assertTrue(fast.text().endsWith(" -DexcludedGroups=slow test -pl core\n"), fast.text());
    Said all = psm(checkout, "test", "-pl", "core");
    assertTrue(all.text().endsWith(" -Pexamples verify -pl core\n"), all.text());
  }

  @Test
  void theTestsOfAGpuNeedADriver() throws Exception {
    driver(folder.resolve("absent"));
    for (String[] arguments :
        new String[][] {{"test", "--device", "cuda"}, {"test", "Steps", "--device=cuda"}}) {
      Said said = psm(checkout, arguments);
      assertEquals(1, said.code(), said.text());
      assertTrue(said.text().contains("NVIDIA's driver"), said.text());
      assertEquals(1, said.text().lines().count(), said.text());
    }
  }

  @Test
  void theTestsOfAGpuRunWithItsBuildAndJunit() throws Exception {
    driver(Files.writeString(folder.resolve("driver"), ""));
    program("jdk/bin/java", "while [ \"$1\" != -cp ]; do shift; done; echo \"$@\"");
    Files.writeString(
        folder.resolve("bin/mvn"),
        """
        case "$*" in
        *-Pgpu-tests*)
          mkdir -p torch/target agents/target
          touch torch/target/psm-torch-1-tests.jar agents/target/psm-agents-1-tests.jar
          printf '%%s' '%1$s' >agents/target/classpath-junit
          ;;
        *) cp app/target/classpath app/target/classpath-gpu ;;
        esac
        """
            .formatted(library),
        StandardOpenOption.APPEND);
    Said said = psm(checkout, "test", "--device", "cuda", "Steps");
    assertEquals(0, said.code(), said.text());
    String ran = said.text().lines().reduce((first, last) -> last).orElseThrow();
    assertEquals(
        "-cp %1$s/app/target/psm-app.jar:%1$s/lab/target/psm-lab.jar:%2$s:%1$s/torch/target/psm-torch-1-tests.jar"
                .formatted(checkout, library)
            + ":%1$s/agents/target/psm-agents-1-tests.jar:%2$s dev.psm.agents.GpuTests --device cuda Steps"
                .formatted(checkout, library),
        ran);
    assertEquals(ran + "\n", psm(checkout, "test", "--device", "cuda", "Steps").text());
  }

  @Test
  void sparkIsFetchedOnceForWhoNamesAMaster() throws Exception {
    Files.writeString(
        folder.resolve("bin/mvn"),
        """

        case "$*" in
        *-Pspark*) printf ':%%s' '%1$s' >>app/target/classpath; mv app/target/classpath app/target/classpath-spark ;;
        esac
        case "$*" in
        *-Pspark*) printf '%%s' "$PWD/lab/target/psm-lab.jar:%1$s" >app/target/classpath ;;
        esac
        """
            .formatted(library),
        StandardOpenOption.APPEND);
    Said local = psm(checkout, "reproduce", "grids", "--on", "local");
    assertFalse(local.text().contains("Spark"), local.text());
    Said first = psm(checkout, "reproduce", "grids", "--on", "spark://h:7077");
    assertTrue(first.text().contains("building for Apache Spark"), first.text());
    assertTrue(first.text().endsWith(library + "\n" + library + "\n"), first.text());
    Said second = psm(checkout, "reproduce", "grids", "--on=spark://h:7077");
    assertEquals(library + "\n" + library + "\n", second.text());
  }

  /** Where the launcher looks for NVIDIA's driver. */
  private void driver(Path file) throws IOException {
    Path settings = checkout.resolve(SETTINGS);
    Files.writeString(
        settings,
        Files.readString(settings).replaceFirst("(?m)^driver=.*", "driver='" + file + "'"));
  }

  @Test
  void whereItMayNotBuildItSaysWhatIsMissingAndWhatToDo() throws Exception {
    Files.writeString(checkout.resolve("app/target"), "not a folder, which even root cannot write");
    Said said = psm(checkout);
    assertEquals(1, said.code());
    String target = checkout + "/app/target";
    assertEquals(
        "psm: psm must be built again, since "
            + target
            + "/psm-app.jar is missing, but you may not write "
            + target
            + ". Have its owner run ./psm, or make a clone of your own.\n",
        said.text());
  }

  private void program(String name, String script) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Said psm(Path where) throws Exception {
    return psm(where, "doctor");
  }

  private Said psm(Path where, String... arguments) throws Exception {
    String path = "PATH=" + folder.resolve("bin") + ":/usr/bin:/bin";
    String java = "PSM_JAVA_HOME=" + folder.resolve("jdk");
    List<String> command =
        new ArrayList<>(List.of("env", "-i", path, java, where.resolve("psm").toString()));
    command.addAll(List.of(arguments));
    return run(command.toArray(String[]::new));
  }

  private record Said(int code, String text) {}

  private static Said run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    return new Said(process.exitValue(), text);
  }
}
