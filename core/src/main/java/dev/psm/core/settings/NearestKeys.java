package dev.psm.core.settings;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Guesses what a misspelt key meant, so that the error message already holds the fix. */
final class NearestKeys {
  private static final int SUGGESTIONS = 3;
  private static final int LISTED = 12;

  private NearestKeys() {}

  /** The end of a sentence: the likely keys, or all of them when none is close. */
  static String hint(String wrong, List<String> known) {
    List<String> near =
        known.stream()
            .filter(key -> distance(wrong, key) <= Math.max(2, wrong.length() / 3))
            .sorted(Comparator.comparingInt(key -> distance(wrong, key)))
            .limit(SUGGESTIONS)
            .toList();
    if (!near.isEmpty()) {
      return "did you mean " + String.join(" or ", near) + "?";
    }
    if (known.isEmpty()) {
      return "there are no settings here";
    }
    String all = String.join(", ", known.subList(0, Math.min(LISTED, known.size())));
    return "known are " + all + (known.size() > LISTED ? ", …" : "");
  }

  static String example(List<String> known) {
    return known.isEmpty() ? "key" : known.get(0);
  }

  /**
   * The lesser distance to the whole dotted key or to its last part, since the group is what users
   * forget.
   */
  private static int distance(String wrong, String key) {
    int whole = editDistance(wrong, key);
    int dot = key.lastIndexOf('.');
    return dot < 0 ? whole : Math.min(whole, editDistance(wrong, key.substring(dot + 1)));
  }

  /** Levenshtein's distance, ignoring case. */
  static int editDistance(String left, String right) {
    String a = left.toLowerCase(Locale.ROOT);
    String b = right.toLowerCase(Locale.ROOT);
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replace = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replace, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
