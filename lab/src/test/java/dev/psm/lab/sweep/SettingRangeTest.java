package dev.psm.lab.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError.Kind;
import dev.psm.lab.run.Runs;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingRangeTest {
  private static SettingRange range(String text) {
    return SettingRange.parse(text).orElseThrow();
  }

  private static List<String> draws(String range, long seed) {
    return IntStream.range(0, 200).mapToObj(i -> range(range).draw(seed, "rate", i)).toList();
  }

  @Test
  void drawsAreTheSameOnEveryMachineAndInEveryVersion() {
    SettingRange rate = range("log-uniform:1e-4:1e-2");
    assertEquals("0.001213", rate.draw(0, "learningRate", 0));
    assertEquals("8.602E-4", rate.draw(0, "learningRate", 1));
  }

  @Test
  void drawsFillTheRangeAndStayInIt() {
    List<Double> logarithmic =
        draws("log-uniform:1e-4:1e-2", 3).stream().map(Double::parseDouble).toList();
    assertTrue(logarithmic.stream().allMatch(value -> value >= 1e-4 && value <= 1e-2));
    long low = logarithmic.stream().filter(value -> value < 1e-3).count();
    assertTrue(low > 70 && low < 130, "half of the powers of ten, %d of 200".formatted(low));
    List<Double> even = draws("uniform:-1:1", 3).stream().map(Double::parseDouble).toList();
    long negative = even.stream().filter(value -> value < 0).count();
    assertTrue(negative > 70 && negative < 130, "half of the range, %d of 200".formatted(negative));
    assertEquals(Set.of("3", "4", "5"), Set.copyOf(draws("integers:3:5", 3)));
    assertEquals(Set.of("a", "b"), Set.copyOf(draws("choice:a:b", 3)));
  }

  @Test
  void seedsAndSettingsDrawForThemselves() {
    SettingRange range = range("uniform:0:1");
    Set<String> drawn =
        IntStream.range(0, 100)
            .boxed()
            .flatMap(
                i ->
                    List.of(range.draw(0, "a", i), range.draw(1, "a", i), range.draw(0, "b", i))
                        .stream())
            .collect(Collectors.toSet());
    assertTrue(drawn.size() > 290, "%d different".formatted(drawn.size()));
  }

  @Test
  void otherTextsAreNoRanges() {
    for (String text : List.of("1e-3", "cosine", "", "none:1")) {
      assertTrue(SettingRange.parse(text).isEmpty(), text);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uniform:1",
        "uniform:2:1",
        "uniform:a:b",
        "log-uniform:0:1",
        "integers:1:2.5",
        "choice:a",
        "choice:a:"
      })
  void rangesThatAreNoneAreRefusedInWords(String text) {
    Runs.refused(Kind.INVALID, () -> SettingRange.parse(text), text, "expected");
  }
}
