package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the launchers decide before Java runs. */
@EnabledOnOs(OS.LINUX)
class LauncherTest {
  private static final Path SETTINGS =
      Path.of("src/main/resources/dev/psm/app/bundle/settings.sh").toAbsolutePath();

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "pretrain --env gridworld, , auto",
    "pretrain --device cuda --seed 1, , cuda",
    "pretrain --device=cuda, , cuda",
    "--device cpu pretrain, cuda, cpu",
    "pretrain, cuda, cuda",
    "pretrain --device auto, cuda, auto",
    "pretrain --device, , auto",
  })
  void theArgumentsAreAskedForTheDeviceThenTheEnvironment(
      String arguments, String variable, String device) throws Exception {
    String set = variable == null ? "unset PSM_DEVICE; " : "PSM_DEVICE=" + variable + "; ";
    assertEquals(device, bash(set + "device_asked " + arguments));
  }

  @ParameterizedTest
  @CsvSource({
    "sweep --on spark://h:7077, yes",
    "sweep --on=yarn x, yes",
    "sweep --on k8s://https://h, yes",
    "sweep --on 'local[2]', yes",
    "sweep --on local, no",
    "sweep --on slurm, no",
    "sweep --on nonsense, no",
    "sweep --out yarn, no",
    "sweep --on, no",
  })
  void sparkIsAskedForByTheNameOfAMaster(String arguments, String asked) throws Exception {
    assertEquals(asked, bash("spark_asked " + arguments + " && echo yes || echo no"));
  }

  @Test
  void aDistributionFollowsOnTheClassPathForItsSchedulers() throws Exception {
    String set = "options=(); SPARK_HOME=/s HADOOP_CONF_DIR=/etc/hadoop; ";
    String told = "spark_settings; echo \"$distribution\"";
    for (String master : new String[] {"yarn", "k8s://https://h"}) {
      assertEquals(
          ":/s/jars/*:/etc/hadoop", bash(set + "spark_asked --on " + master + "; " + told));
    }
    assertEquals("", bash(set + "spark_asked --on=spark://h:7077; " + told));
    assertEquals(
        "yes",
        bash(
            "options=(); spark_asked --on yarn; spark_settings; [[ \"${options[*]}\" ="
                + " *java.base/sun.nio.ch=* ]] && echo yes"));
  }

  @ParameterizedTest
  @CsvSource({"'',C.UTF-8", "LC_ALL=C,C.UTF-8", "LANG=POSIX,C.UTF-8", "LANG=de_DE.UTF-8,''"})
  void javaAlwaysHasACharacterSet(String given, String expected) throws Exception {
    String export = given.isEmpty() ? "" : "export " + given + "; ";
    assertEquals(
        expected, bash("unset LC_ALL LC_CTYPE LANG; " + export + "settings 17; echo ${LC_ALL:-}"));
  }

  @Test
  void namedFoldersComeFirstAndWhatTheUserHasStays() throws Exception {
    assertEquals(
        "/named/a:/named/b:/mine",
        bash(
            "loadable() { true; }; PSM_CUDA_LIBRARIES=/named/a:/named/b; LD_LIBRARY_PATH=/mine;"
                + " find_cuda; echo $LD_LIBRARY_PATH"));
  }

  @Test
  void librariesOfAPythonAreTakenOnlyIfTheyAreCuda13s() throws Exception {
    Path runtime = Files.createDirectories(folder.resolve("nvidia/cu13/lib"));
    Path other = Files.createDirectories(folder.resolve("nvidia/cudnn/lib"));
    String find =
        "loadable() { false; }; python3() { echo %s; };".formatted(folder.resolve("nvidia"))
            + " LD_LIBRARY_PATH=; find_cuda; echo $LD_LIBRARY_PATH | tr : '\\n' | grep -c %s"
                .formatted(folder);
    assertEquals("0", bash(find));
    Files.createFile(runtime.resolve("libcudart.so.13"));
    assertEquals("2", bash(find), runtime + " and " + other);
  }

  @Test
  void aLibraryIsLoadableWhereAFolderHoldsIt() throws Exception {
    Files.createFile(folder.resolve("libfirst.so.1"));
    String look = "LD_LIBRARY_PATH=/absent:" + folder + "; loadable libfirst.so.1";
    assertEquals("yes", bash(look + " && echo yes"));
    assertEquals("no", bash(look + " libsecond.so.1 || echo no"));
  }

  private static String bash(String script) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("bash", "-uc"));
    // The launcher says where it lies.
    command.add("home=/checkout; . '" + SETTINGS + "'; " + script);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor(1, TimeUnit.MINUTES);
    return said.strip();
  }
}
