package dev.psm.lab.run;

import dev.psm.core.env.World;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the paper says of figures that it prints without numbers: by domain and agent's id. */
public final class PaperFigures {
  private static final Map<String, Map<String, String>> CLAIMS = read();

  private PaperFigures() {}

  private static Map<String, Map<String, String>> read() {
    try (InputStream in = PaperFigures.class.getResourceAsStream("figures.csv")) {
      Map<String, Map<String, String>> claims = new LinkedHashMap<>();
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .skip(1)
          .map(line -> line.split(",", 3))
          .forEach(
              cells ->
                  claims
                      .computeIfAbsent(cells[0], any -> new LinkedHashMap<>())
                      .put(cells[1], cells[2]));
      return claims;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The agents that a domain's figure has, in its order. */
  public static List<String> agents(World world) {
    return List.copyOf(CLAIMS.getOrDefault(world.name(), Map.of()).keySet());
  }

  public static Optional<String> claim(World world, String variant) {
    return Optional.ofNullable(CLAIMS.getOrDefault(world.name(), Map.of()).get(variant));
  }
}
