package dev.psm.core.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class InlineTest {
  record Depth(@Setting("How deep.") int layers) {}

  record Common(
      @Setting("How wide.") int width,
      @Setting("How fast.") double rate,
      @Setting("How deep.") Depth depth) {
    Common {
      if (width < 1) {
        throw UserError.invalid("width must be at least 1, found %d", width);
      }
    }
  }

  record Options(
      @Setting("A name.") String name, @Inline Common common, @Setting("Of its own.") Depth own) {}

  private static final Options BASE =
      new Options("base", new Common(8, 0.5, new Depth(2)), new Depth(3));

  @Test
  void keysStandWithoutTheRecordsNameInItsPlace() {
    assertEquals(
        List.of("name", "width", "rate", "depth.layers", "own.layers"),
        Settings.keys(Options.class));
    assertEquals(
        """
        name          base  A name.
        width         8     How wide.
        rate          0.5   How fast.
        depth.layers  2     How deep.
        own.layers    3     How deep.
        """,
        Settings.describe(BASE));
  }

  @Test
  void assignmentsReachTheInlinedRecord() {
    assertEquals(
        new Options("base", new Common(64, 0.5, new Depth(9)), new Depth(4)),
        Settings.override(BASE, List.of("width=64", "depth.layers=9", "own.layers=4")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "common.width=1 | unknown setting \"common.width\"",
        "common=1 | unknown setting \"common\"",
        "layers=1 | unknown setting \"layers\"",
        "depth=1 | is a group: set one of depth.layers",
        "width=0 | width must be at least 1, found 0",
        "width=wide | setting \"width\": expected a whole number (int), found \"wide\"",
      })
  void wrongAssignmentsAreRefusedInWords(String assignment, String words) {
    UserError error =
        assertThrows(UserError.class, () -> Settings.override(BASE, List.of(assignment)));
    assertTrue(error.getMessage().contains(words), error.getMessage());
  }

  @Test
  void jsonRoundTripsAndNamesWhatIsWrong() {
    ObjectNode json = Settings.toJson(BASE);
    assertEquals(BASE, Settings.fromJson(json, Options.class, "run.json"));
    json.withObject("/common").remove("rate");
    UserError error =
        assertThrows(UserError.class, () -> Settings.fromJson(json, Options.class, "run.json"));
    assertTrue(error.getMessage().contains("rate\" is missing"), error.getMessage());
  }
}
