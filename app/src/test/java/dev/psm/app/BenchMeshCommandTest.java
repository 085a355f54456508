package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BenchMeshCommandTest {
  private static Cli.Result tiny(Object... more) {
    Object[] line = {
      "bench", "mesh", "--seconds", "0.1", "width=8", "coordinateWidth=8", "basisDimension=4"
    };
    Object[] all = new Object[line.length + more.length];
    System.arraycopy(line, 0, all, 0, line.length);
    System.arraycopy(more, 0, all, line.length, more.length);
    return Cli.run(all);
  }

  @Test
  void everyMeshIsTimedAndWeighedAndOneThatDoesNotFitIsRefused() {
    JsonNode document =
        tiny("--meshes", "6x4,64x64", "--seeds", "2", "pairsAtOnce=512", "--json").json();
    assertEquals(2, document.path("seeds").asInt());
    assertEquals(2, document.path("meshes").size());
    JsonNode small = document.at("/meshes/0");
    assertEquals(24, small.path("pairs").asInt());
    for (JsonNode mesh : document.path("meshes")) {
      assertTrue(mesh.path("millisecondsPerStep").asDouble() > 0, mesh::toString);
      assertTrue(mesh.path("nanosecondsPerPair").asDouble() > 0, mesh::toString);
      assertTrue(mesh.path("boundBytes").asLong() > 0, mesh::toString);
      assertEquals(
          mesh.path("peakBytes").asLong() <= mesh.path("boundBytes").asLong(),
          mesh.path("withinBound").asBoolean());
    }
    assertEquals(1, document.at("/meshes/1/ratioPerPair").asDouble());
    String refused = document.at("/tooLarge/refused").asText();
    assertTrue(refused.contains("65536 rows and 65536 columns"), refused);
    assertTrue(refused.contains("more than half of"), refused);
  }

  @Test
  void peopleGetATableAndAMeshOfTheirsThatDoesNotFitIsToldInIt() {
    Cli.Result result = tiny("--meshes", "2000000000x2000000000");
    assertEquals(1, result.code(), "nothing was measured");
    String said = result.out();
    assertTrue(said.contains("for comparison, a mesh of 65536x65536, which fits"), said);
    assertTrue(said.contains("2000000000x2000000000"), said);
    assertTrue(said.contains("refused: a mesh of 2000000000 rows"), said);
    assertFalse(said.contains("above the bound"), said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"64", "64x", "axb", "8x8x8", "99999999999x2"})
  void aMeshIsRowsByColumns(String mesh) {
    tiny("--meshes", mesh).refused("ROWSxCOLUMNS", mesh);
  }

  @Test
  void settingsAreCheckedBeforeAnythingIsMeasured() {
    tiny("--meshes", "4x6").refused("meshColumns must be a multiple of 4");
    tiny("--meshes", "4x4", "widht=4").refused("widht", "width");
    tiny("meshRows=4").refused("meshRows=4", "apart from the settings");
  }

  @ParameterizedTest
  @CsvSource({"--seeds, 0", "--seeds, 65", "--seconds, 0", "--seconds, NaN"})
  void optionsHaveBounds(String option, String value) {
    Cli.run("bench", "mesh", option, value).refused(option, value);
  }
}
