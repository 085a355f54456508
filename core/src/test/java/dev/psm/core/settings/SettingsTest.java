package dev.psm.core.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SettingsTest {
  enum Exploration {
    UNIFORM_RANDOM,
    RND
  }

  record Coordinates(
      @Setting("Step size of the optimiser.") double learningRate,
      @Setting("How many gradient steps.") int gradientSteps) {
    Coordinates {
      if (!(learningRate > 0)) {
        throw UserError.invalid("learningRate must be positive, found %s", learningRate);
      }
    }
  }

  record Options(
      @Setting("Seed of every random choice.") long seed,
      @Setting("Who collects.") Exploration exploration,
      @Setting("Whether to normalise.") boolean normalise,
      @Setting("A name.") String name,
      @Setting("The inference step.") Coordinates coordinates) {}

  private static final Options BASE =
      new Options(1, Exploration.RND, false, "base", new Coordinates(1e-4, 1000));

  @Test
  void assignmentsOfEveryTypeReachTheirComponent() {
    Options changed =
        Settings.override(
            BASE,
            List.of(
                "seed=10_000",
                "exploration=uniform-random",
                "normalise=true",
                "name=a=b",
                "coordinates.learningRate=3e-4",
                "coordinates.gradientSteps=1e5"));
    assertEquals(
        new Options(
            10_000, Exploration.UNIFORM_RANDOM, true, "a=b", new Coordinates(3e-4, 100_000)),
        changed);
    assertEquals(BASE, Settings.override(BASE, List.of()));
  }

  record Shape(Exploration exploration, Coordinates coordinates, int members) {}

  @Test
  void aPartHasTheValuesOfTheSameNames() {
    assertEquals(
        new Shape(BASE.exploration(), BASE.coordinates(), 3),
        Settings.part(Shape.class, BASE, Map.of("members", 3)));
    assertThrows(IllegalArgumentException.class, () -> Settings.part(Shape.class, BASE, Map.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sead=1 | unknown setting \"sead\"; did you mean 'seed'?",
        "learningrate=1 | did you mean 'coordinates.learningRate'?",
        "coordinates=1 | is a group: set one of coordinates.learningRate, coordinates.gradientSteps",
        "zzzzzzzz=1 | known: coordinates.gradientSteps, coordinates.learningRate",
        "seed | \"seed\" has no value: expected key=value",
        "seed=1.5 | setting \"seed\": expected a whole number (long), found \"1.5\"",
        "seed= | expected a whole number (long), found \"\"",
        "coordinates.gradientSteps=3e9 | expected a whole number (int), found \"3e9\"",
        "coordinates.gradientSteps=1e999999999 | expected a whole number (int)",
        "coordinates.learningRate=fast | expected a finite number (double), found \"fast\"",
        "coordinates.learningRate=NaN | expected a finite number (double), found \"NaN\"",
        "coordinates.learningRate=1e999 | expected a finite number (double)",
        "coordinates.learningRate=-1 | learningRate must be positive, found -1.0",
        "normalise=yes | expected true or false, found \"yes\"",
        "exploration=random | expected one of uniform-random, rnd, found \"random\"",
      })
  void wrongAssignmentsAreRefusedInWords(String assignment, String words) {
    UserError error =
        assertThrows(UserError.class, () -> Settings.override(BASE, List.of(assignment)));
    assertTrue(error.getMessage().contains(words), error.getMessage());
    assertEquals(UserError.Kind.INVALID, error.kind());
  }

  @Test
  void aKeyGivenTwiceIsRefused() {
    UserError error =
        assertThrows(UserError.class, () -> Settings.override(BASE, List.of("seed=1", "seed=1")));
    assertTrue(error.getMessage().contains("\"seed\" is given twice"), error.getMessage());
  }

  @Test
  void keysAreDottedInOrder() {
    assertEquals(
        List.of(
            "seed",
            "exploration",
            "normalise",
            "name",
            "coordinates.learningRate",
            "coordinates.gradientSteps"),
        Settings.keys(Options.class));
  }

  @Test
  void theDescriptionIsAligned() {
    assertEquals(
        """
        seed                       1      Seed of every random choice.
        exploration                rnd    Who collects.
        normalise                  false  Whether to normalise.
        name                       base   A name.
        coordinates.learningRate   1e-4   Step size of the optimiser.
        coordinates.gradientSteps  1000   How many gradient steps.
        """,
        Settings.describe(BASE));
  }

  @Test
  void jsonRoundTrips() {
    assertEquals(BASE, Settings.fromJson(Settings.toJson(BASE), Options.class, "settings.json"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | seed | run.json: setting \"seed\" is missing",
        "{'seed':1.5} | | run.json: setting \"seed\": expected a whole number (long), found 1.5",
        "{'seed':'1'} | | expected a whole number (long), found \"1\"",
        "{'seed':null} | | expected a whole number (long), found null",
        "{'name':3} | | setting \"name\": expected text, found 3",
        "{'normalise':'true'} | | expected true or false, found \"true\"",
        "{'exploration':'RND'} | | expected one of uniform-random, rnd, found \"RND\"",
        "{'nam':'x'} | | run.json: unknown setting \"nam\"; did you mean 'name'?",
        "{'x\\npsm: all good':1} | | run.json: unknown setting \"x\\npsm: all good\"; known",
        "{'coordinates':3} | | run.json: \"coordinates\" must be an object, found 3",
        "{'coordinates':{'learningRate':1}} | | \"coordinates.gradientSteps\" is missing",
        "{'coordinates':{'learningRate':0,'gradientSteps':1}} | | run.json: learningRate must be",
        "{'coordinates':{'learningRate':1e999,'gradientSteps':1}} | | expected a finite number",
      })
  void wrongFilesAreRefusedByField(String patch, String removed, String words) throws Exception {
    ObjectNode json = Settings.toJson(BASE);
    json.setAll((ObjectNode) new ObjectMapper().readTree(patch.replace('\'', '"')));
    if (removed != null) {
      json.remove(removed);
    }
    UserError error =
        assertThrows(UserError.class, () -> Settings.fromJson(json, Options.class, "run.json"));
    assertTrue(error.getMessage().contains(words), error.getMessage());
  }

  @Test
  void somethingElseThanAnObjectIsRefused() throws Exception {
    JsonNode list = new ObjectMapper().readTree("[1]");
    UserError error =
        assertThrows(UserError.class, () -> Settings.fromJson(list, Options.class, "run.json"));
    assertEquals("run.json: the settings must be an object, found [1]", error.getMessage());
  }
}
