package dev.psm.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Turns a name nobody knows into a hint at the names we do know. */
public final class Nearest {
  private static final int LISTED = 20;

  private Nearest() {}

  /**
   * The end of an error message: {@code did you mean 'x'?} when some known name is a slip of the
   * keyboard away, else the list of known names.
   */
  public static String hint(String found, Collection<String> known) {
    String wanted = found.toLowerCase(Locale.ROOT);
    int best = Integer.MAX_VALUE;
    List<String> closest = new ArrayList<>();
    for (String name : known) {
      int most = Math.max(1, Math.max(name.length(), wanted.length()) / 3);
      // What is much longer than a name is not close to it, and could take long to compare.
      if (wanted.length() - name.length() > most) {
        continue;
      }
      int distance = distance(wanted, name.toLowerCase(Locale.ROOT));
      if (distance > most) {
        continue;
      }
      if (distance < best) {
        best = distance;
        closest.clear();
      }
      if (distance == best) {
        closest.add("'" + name + "'");
      }
    }
    if (!closest.isEmpty()) {
      return "did you mean " + String.join(" or ", closest) + "?";
    }
    if (known.isEmpty()) {
      return "none is known";
    }
    List<String> sorted = known.stream().sorted().toList();
    String list = String.join(", ", sorted.subList(0, Math.min(LISTED, sorted.size())));
    return sorted.size() > LISTED
        ? "known: %s and %d more".formatted(list, sorted.size() - LISTED)
        : "known: " + list;
  }

  /** The group of a dotted name is what users forget, so its last part alone will do. */
  private static int distance(String wanted, String name) {
    int dot = name.lastIndexOf('.');
    int whole = editDistance(wanted, name);
    return dot < 0 ? whole : Math.min(whole, editDistance(wanted, name.substring(dot + 1)));
  }

  /** Insertions, deletions, substitutions and swaps of neighbours that turn one into the other. */
  static int editDistance(String a, String b) {
    int[] twoBack = new int[b.length() + 1];
    int[] previous = new int[b.length() + 1];
    int[] current = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(substituted, 1 + Math.min(previous[j], current[j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          current[j] = Math.min(current[j], twoBack[j - 2] + 1);
        }
      }
      int[] recycled = twoBack;
      twoBack = previous;
      previous = current;
      current = recycled;
    }
    return previous[b.length()];
  }
}
