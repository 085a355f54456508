package dev.psm.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.psm.torch.CudaSupport;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class GpuTestsTest {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private int run(String... arguments) {
    return GpuTests.run(new PrintStream(said, true, StandardCharsets.UTF_8), arguments);
  }

  private String text() {
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void withoutAGpuAllTestsAreSkippedInWordsAndThatIsAFailure() {
    assumeTrue(CudaSupport.problem().isPresent(), "here is a GPU");
    assertEquals(1, run("--device", "cuda"));
    for (String tests : new String[] {"control.CudaStepMathTest", "affine.CudaAffinePsmTest"}) {
      assertTrue(
          text().matches("(?s).*dev\\.psm\\.agents\\." + tests + " +0 passed +0 failed +4 skip.*"),
          text());
    }
    assertTrue(text().contains(CudaSupport.problem().orElseThrow().getMessage()), text());
    assertTrue(text().endsWith("psm: none of the GPU's tests could run\n"), text());
  }

  @Test
  void classesAreChosenByAPartOfTheirName() {
    assumeTrue(CudaSupport.problem().isPresent(), "here is a GPU");
    assertEquals(1, run("Affine", "--device=cuda"));
    assertTrue(text().startsWith("dev.psm.agents.affine.CudaAffinePsmTest "), text());
    assertEquals(3, text().lines().count(), text());
  }

  @Test
  void whatIsNoTestOfAGpuIsNotRun() {
    assertEquals(1, run("BatchTest"));
    assertEquals("psm: no such test of a GPU\n", text());
    assertEquals(2, run("--fast"));
    assertTrue(text().contains("no option --fast"), text());
  }
}
