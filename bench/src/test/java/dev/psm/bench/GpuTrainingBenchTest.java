package dev.psm.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.lab.Progress;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All but the GPU itself. */
class GpuTrainingBenchTest {
  private final List<String> said = new ArrayList<>();

  private GpuTrainingBench.Result run(Path python, String peerDevice, String... agents) {
    return run(python, peerDevice, Precision.FLOAT32, agents);
  }

  private GpuTrainingBench.Result run(
      Path python, String peerDevice, Precision precision, String... agents) {
    return GpuTrainingBench.run(
        new GpuTrainingBench.Settings(
            python, List.of(agents), List.of("tiny"), List.of(precision), List.of(1, 2), 1),
        new GpuTrainingBench.Place(peerDevice, () -> "no GPU", any -> Device.CPU),
        Progress.SILENT,
        said::add);
  }

  @Test
  @Tag("slow")
  void aPeerThatCannotBeStartedCostsNoFigures() {
    GpuTrainingBench.Result result =
        run(Path.of("no-such-python"), "cpu", "psm", "fb", "laplacian", "hilp");
    assertEquals(2 * 6, result.json().path("steps").size());
    for (JsonNode step : result.json().path("steps")) {
      assertTrue(step.path("recorded").path("millisecondsPerStep").asDouble() > 0, step::toString);
      assertTrue(step.path("teraflopsPerSecond").asDouble() > 0, step::toString);
    }
    JsonNode first = result.json().path("steps").path(0);
    assertTrue(first.path("eager").path("millisecondsPerStep").asDouble() > 0, first::toString);
    assertEquals(
        0, first.path("recordedAgainstEager").path("largestRelativeDifference").asDouble(-1));
    assertEquals(
        0, first.path("gradientsAgainstProcessor").path("largestRelativeDifference").asDouble(-1));
    assertEquals(2, result.failures().size(), result.failures()::toString);
    assertTrue(result.failures().get(0).contains("no-such-python"), result.failures()::toString);
  }

  @Test
  void thePeerTakesTheSameSteps() {
    Path python = GridBench.findPython();
    assumeTrue(python != null, "no Python with torch");
    GpuTrainingBench.Result result = run(python, "cpu", "psm", "fb");
    assertEquals(List.of(), result.failures());
    for (int step : new int[] {0, 3}) {
      JsonNode peer = result.json().path("steps").path(step).path("peer");
      for (String variant : List.of("published", "graph")) {
        JsonNode one = peer.path(variant);
        assertTrue(one.path("millisecondsPerStep").asDouble() > 0, peer::toString);
        assertTrue(one.path("largestDifferenceOfFirstLosses").asDouble(1) < 1e-4, peer::toString);
      }
    }
  }

  /** psm's products stay in single precision here, so the difference is the peer's rounding. */
  @Test
  void thePeerRoundsToBfloat16() {
    Path python = GridBench.findPython();
    assumeTrue(python != null, "no Python with torch");
    GpuTrainingBench.Result result = run(python, "cpu", Precision.BFLOAT16, "psm", "fb");
    assertEquals(List.of(), result.failures());
    JsonNode peer = result.json().path("steps").path(0).path("peer");
    assertTrue(peer.path("published").isMissingNode(), peer::toString);
    double apart = peer.path("graph").path("largestDifferenceOfFirstLosses").asDouble(0);
    assertTrue(apart > 1e-6 && apart < 5e-2, peer::toString);
  }

  @Test
  void aPeerWithoutCudaSaysSo() {
    Path python = GridBench.findPython();
    assumeTrue(python != null, "no Python with torch");
    List<String> failures = run(python, "cuda:99", "fb").failures();
    assertEquals(2, failures.size(), failures::toString);
    assertTrue(failures.get(0).contains("has no CUDA"), failures::toString);
  }
}
