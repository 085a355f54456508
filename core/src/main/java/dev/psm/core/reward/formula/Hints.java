package dev.psm.core.reward.formula;

import dev.psm.core.Nearest;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What to say to a name that means nothing where it stands. */
final class Hints {
  /** Names compared are cut here: a distance between names takes the product of their lengths. */
  private static final int COMPARED = 60;

  private Hints() {}

  /** A name without an opening parenthesis behind it. */
  static String forName(String name, Vocabulary vocabulary) {
    StateFunction own = vocabulary.function(name);
    Functions.Function function = Functions.named(name);
    if (own != null || function != null) {
      return "%s is a function: %s".formatted(name, own != null ? own.usage() : function.usage());
    }
    if (Functions.SIGMOIDS.containsKey(name)) {
      return "%s is a sigmoid, which only the sixth argument of tolerance can be: %s"
          .formatted(name, Functions.named("tolerance").usage());
    }
    List<String> known = new ArrayList<>(Functions.CONSTANTS.keySet());
    vocabulary.quantities().stream().map(Quantity::name).forEach(known::add);
    vocabulary.tasks().stream().map(Task::name).forEach(known::add);
    String what = vocabulary.tasks().isEmpty() ? "quantity" : "quantity or task";
    return unknown("there is no " + what, name, known);
  }

  /** A name with an opening parenthesis behind it. */
  static String forFunction(String name, Vocabulary vocabulary) {
    if (vocabulary.quantity(name) != null
        || vocabulary.task(name) != null
        || Functions.CONSTANTS.containsKey(name)) {
      return "'%s' is not a function; to multiply, write %s * (...)".formatted(name, name);
    }
    List<String> known = new ArrayList<>(Functions.names());
    vocabulary.functions().stream().map(StateFunction::name).forEach(known::add);
    return unknown("there is no function", name, known);
  }

  private static String unknown(String what, String name, List<String> known) {
    String foreign = Functions.FOREIGN.get(name.toLowerCase(Locale.ROOT));
    String hint = foreign != null ? foreign : Nearest.hint(cut(name), known);
    return "%s %s; %s".formatted(what, Mistake.quoted(name), hint);
  }

  static String cut(String name) {
    return name.substring(0, Math.min(COMPARED, name.length()));
  }
}
