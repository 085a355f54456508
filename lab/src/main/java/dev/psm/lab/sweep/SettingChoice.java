package dev.psm.lab.sweep;

import dev.psm.core.UserError;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a sweep says of one setting.
 *
 * @param values each is tried; empty where they are drawn
 * @param range where they are drawn from
 */
record SettingChoice(List<String> values, Optional<SettingRange> range) {
  SettingChoice {
    values = List.copyOf(values);
  }

  /** Of a text: a range, or values with commas between them. */
  static SettingChoice parse(String text) {
    return SettingRange.parse(text)
        .map(range -> new SettingChoice(List.of(), Optional.of(range)))
        .orElseGet(() -> of(Arrays.asList(text.split(",", -1))));
  }

  static SettingChoice of(List<String> values) {
    if (values.isEmpty() || values.stream().anyMatch(String::isBlank)) {
      throw UserError.invalid("a value is missing in '%s'", String.join(",", values));
    }
    return new SettingChoice(values.stream().map(String::strip).toList(), Optional.empty());
  }
}
