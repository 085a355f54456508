package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.io.FolderLock;
import dev.psm.torch.NativeLibraries;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cache of native libraries, as commands in a Java of their own use it. */
class CacheCommandTest {
  @TempDir private Path folder;

  @Test
  void whatIsThereIsListedAndCleared() throws Exception {
    Path cache = folder.resolve("cache");
    Path old = Files.createDirectories(cache.resolve("natives/pytorch-1-0123"));
    Files.write(old.resolve("libtorch.so"), new byte[2_000_000]);
    Files.createDirectories(cache.resolve("natives/half.unfinished"));
    Said listed = psm(cache, "cache");
    assertEquals(
        "folder    %s%n  2.00 MB pytorch-1-0123, of another version or build%n  2.00 MB in all%n"
            .formatted(cache),
        listed.text());
    assertTrue(psm(cache, "cache --clear").text().endsWith("cleared\n"));
    assertFalse(Files.exists(old));
    assertTrue(psm(cache, "cache --json").text().contains("\"bytes\" : 0"));
  }

  @Test
  void aCacheThatIsNotThereIsEmptyAndStaysAway() throws Exception {
    Path cache = folder.resolve("cache");
    assertTrue(psm(cache, "cache --clear").text().contains("0.00 KB in all"));
    assertFalse(Files.exists(cache));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "doctor",
        "pretrain --env gridworld --out model",
        "solve ../models/walker-psm --task run"
      })
  @Tag("slow")
  void whereNothingCanBeUnpackedTheReasonIsOneSentence(String command) throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    Said said = psm(file.resolve("cache"), command);
    assertEquals(1, said.code(), said.text());
    List<String> told = said.text().lines().filter(line -> line.contains("PSM_CACHE")).toList();
    assertEquals(1, told.size(), said.text());
    assertTrue(told.get(0).contains("cannot unpack native libraries into " + file), said.text());
    assertFalse(said.text().contains("\tat "), said.text());
  }

  /** JavaCPP would make its own cache in the home folder. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "pretrain --env gridworld --agent psm gradientSteps=2 dualSteps=2 enrichedCodes=0 --out ",
        "pretrain --env gridworld --agent fb gradientSteps=2 --out ",
        "pretrain --env gridworld --agent laplacian gradientSteps=2 --out ",
        "collect --env maze --policy rnd --steps 2000 width=16 representation=8 batchSize=16 --out "
      })
  @Tag("slow")
  void whateverCallsLibtorchFirstUsesTheCacheOfPsm(String command) throws Exception {
    Said said = psm(NativeLibraries.cache().root(), command + folder.resolve("out"));
    assertEquals(0, said.code(), said.text());
    assertFalse(Files.exists(folder.resolve(".javacpp")));
  }

  @Test
  @Tag("slow")
  void modelsUseTheCacheOfPsmToo() throws Exception {
    Path model = folder.resolve("model");
    Cli.runTiny("pretrain", "--env", "gridworld", "--out", model).succeeded();
    Path cache = NativeLibraries.cache().root();
    for (String command :
        List.of(
            "solve " + model + " --goal 2,7",
            "evaluate " + model,
            "solve ../models/walker-psm --task run --episodes 1")) {
      Said said = psm(cache, command);
      assertEquals(0, said.code(), said.text());
    }
    assertFalse(Files.exists(folder.resolve(".javacpp")));
  }

  /** The lock is given back when the command has said that it waits. */
  @Test
  void aCacheInUseIsWaitedForAloud() throws Exception {
    Path cache = folder.resolve("cache");
    Process process;
    String first;
    BufferedReader said;
    try (FolderLock held = FolderLock.take(cache, "busy")) {
      process = start(cache, "cache");
      // A command that waits in silence would do so for ever.
      CompletableFuture.delayedExecutor(1, TimeUnit.MINUTES).execute(process::destroy);
      said = process.inputReader(StandardCharsets.UTF_8);
      first = said.readLine();
    }
    assertEquals("psm: waiting for another psm, which is unpacking native libraries", first);
    assertTrue(said.readLine().contains(cache.toString()));
    assertEquals(0, process.waitFor());
  }

  private record Said(int code, String text) {}

  private Said psm(Path cache, String command) throws IOException, InterruptedException {
    Process process = start(cache, command);
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(5, TimeUnit.MINUTES));
    return new Said(process.exitValue(), text);
  }

  private Process start(Path cache, String command) throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.bytedeco.openblas.load=mkl",
                "-Duser.home=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                "dev.psm.app.Psm"));
    line.addAll(List.of(command.split(" ")));
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.environment().put("PSM_CACHE", cache.toString());
    // Java would say that it has seen it.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    return builder.start();
  }
}
