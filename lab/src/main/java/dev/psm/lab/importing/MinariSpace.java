package dev.psm.lab.importing;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.psm.core.env.Space;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The space of actions as Minari writes it down: in {@code metadata.json} beside the data or, until
 * version 0.5, attached to the HDF5 file. What cannot be read is as good as not there, for the data
 * has bounds too.
 */
final class MinariSpace {
  private static final String KEY = "action_space";

  /** Python writes Infinity, which JSON does not have. */
  private static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  private MinariSpace() {}

  static Optional<Space> ofActions(Hdf5 file) {
    Path metadata = file.path().resolveSibling("metadata.json");
    try {
      JsonNode space =
          Files.isRegularFile(metadata)
              ? MAPPER.readTree(metadata.toFile()).path(KEY)
              : MAPPER.getNodeFactory().missingNode();
      if (space.isMissingNode()) {
        space = MAPPER.readTree(file.attribute(KEY).orElse("{}"));
      }
      return read(space.isTextual() ? MAPPER.readTree(space.textValue()) : space);
    } catch (JacksonException e) {
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<Space> read(JsonNode space) {
    if (space.path("type").asText().equals("Discrete")) {
      long last = space.path("start").asLong() + space.path("n").asLong();
      return last >= 1 && last <= Integer.MAX_VALUE
          ? Optional.of(new Space.Discrete((int) last))
          : Optional.empty();
    }
    float[] low = numbers(space.path("low"));
    float[] high = numbers(space.path("high"));
    return low.length > 0 && low.length == high.length
        ? Optional.of(new Space.Box(low, high))
        : Optional.empty();
  }

  /** Of lists in lists, row by row. */
  private static float[] numbers(JsonNode list) {
    List<JsonNode> leaves = new ArrayList<>();
    collect(list, leaves);
    float[] numbers = new float[leaves.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (float) leaves.get(i).asDouble(Double.NaN);
    }
    return numbers;
  }

  private static void collect(JsonNode node, List<JsonNode> leaves) {
    if (node.isArray()) {
      node.forEach(each -> collect(each, leaves));
    } else if (!node.isMissingNode()) {
      leaves.add(node);
    }
  }
}
