package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.agents.Agents;
import dev.psm.torch.CudaSupport;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchTrainingCommandTest {
  @ParameterizedTest
  @CsvSource({"--rounds,0", "--rounds,many", "--memory-steps,-1", "--agents,fbb", "--sizes,huge"})
  void aBadArgumentIsRefused(String option, String value) {
    Cli.Result result = Cli.run("bench", "training", option, value);
    assertTrue(result.code() != 0, result.out());
    assertEquals("", result.out());
    assertTrue(result.err().contains(value), result.err());
  }

  @ParameterizedTest
  @CsvSource({
    "--device,tpu",
    "--device,cudaa",
    "--precision,fp8",
    "--seeds,0",
    "--seeds,some",
    "--memory-steps,10"
  })
  void aBadArgumentForAGpuIsRefused(String option, String value) {
    Cli.Result result = Cli.run("bench", "training", "--device", "cuda", option, value);
    if (option.equals("--device")) {
      result = Cli.run("bench", "training", option, value);
    }
    result.refused(option);
  }

  @ParameterizedTest
  @CsvSource({"--precision,tf32", "--seeds,1"})
  void whatOnlyAGpuHasIsRefusedOnTheCpu(String option, String value) {
    Cli.run("bench", "training", option, value).refused(option, "--device cuda");
  }

  @Test
  void withoutAGpuTheReasonIsTold() {
    Optional<String> problem = CudaSupport.problem().map(CommandErrors::message);
    assumeTrue(problem.isPresent(), "there is a GPU");
    Cli.Result result = Cli.run("bench", "training", "--device", "cuda", "--json");
    assertEquals(1, result.code(), result.err());
    assertEquals("", result.out());
    assertEquals("psm: " + problem.get(), result.err().strip());
  }

  @Test
  void everyAgentTakesSteps() {
    JsonNode document =
        Cli.run(
                "bench",
                "training",
                "--json",
                "--sizes",
                "tiny",
                "--rounds",
                "1",
                "--memory-steps",
                "0")
            .json();
    assertEquals(
        Agents.control().stream().mapToInt(agent -> agent.parts().size()).sum(),
        document.path("steps").size());
    for (JsonNode subject : document.path("steps")) {
      assertTrue(subject.path("millisecondsPerStep").asDouble() > 0, subject::toString);
      assertTrue(subject.path("drawShare").asDouble() > 0, subject::toString);
    }
  }
}
