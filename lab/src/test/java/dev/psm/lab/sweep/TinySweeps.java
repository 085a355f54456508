package dev.psm.lab.sweep;

import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Sweeps of runs of a second, on a map of eleven cells. */
final class TinySweeps {
  private static final String PSM =
      "\"psm.basisDimension\": 4, \"psm.codesPerStep\": 4, \"psm.enrichedCodes\": 2,"
          + " \"psm.coordinateWidth\": 8, \"psm.solveCodes\": 8";
  private static final String FB =
      "\"fb.featureDimension\": 4, \"fb.forwardWidth\": 8, \"fb.featureWidth\": 8";

  private TinySweeps() {}

  static Path map(Path folder) {
    try {
      return Files.writeString(folder.resolve("tiny.txt"), "....\n.#..\n....\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @param fields more of them, in JSON without its braces
   * @param settings more of them, in the same way
   */
  static Sweep sweep(Path map, Path out, String fields, String settings) {
    List<String> all = new ArrayList<>();
    if (!settings.isEmpty()) {
      all.add(settings);
    }
    if (fields.contains("psm")) {
      all.add(PSM);
    }
    if (fields.contains("fb")) {
      all.add(FB);
    }
    String text =
        "{\"map\": [\"%s\"], \"out\": \"%s\", \"steps\": 20, %s, \"settings\": {%s}}"
            .formatted(map, out, fields, String.join(", ", all));
    return Sweep.read(JsonField.of("the sweep", Json.parse(text, "the sweep")));
  }
}
