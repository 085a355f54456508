package dev.psm.lab.importing;

import dev.psm.core.UserError;
import dev.psm.core.data.Episode;
import dev.psm.core.env.Space;
import dev.psm.core.env.StoredWorld;
import dev.psm.lab.Progress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What episodes tell of the world that they come from, where nobody else knows it. */
final class DataSurvey {
  private final EpisodeSource source;
  private final float[] low;
  private final float[] high;
  private int longest = 1;

  private DataSurvey(EpisodeSource source) {
    this.source = source;
    this.low = new float[source.columns().action()];
    this.high = new float[source.columns().action()];
    Arrays.fill(low, Float.POSITIVE_INFINITY);
    Arrays.fill(high, Float.NEGATIVE_INFINITY);
  }

  /**
   * Reads all episodes once.
   *
   * @param given names for the numbers of an observation; where empty, the source's own, or o0, o1…
   */
  static StoredWorld of(
      String environment, EpisodeSource source, List<String> given, Progress progress) {
    List<String> columns = columns(source, given);
    DataSurvey survey = new DataSurvey(source);
    source.read(survey::see, progress);
    try {
      return StoredWorld.ofData(environment, columns, survey.actions(), survey.longest);
    } catch (UserError e) {
      throw UserError.argument(
          "names",
          "%s%s",
          e.getMessage(),
          given.isEmpty() ? "; the data has that name, so give others" : "");
    }
  }

  private static List<String> columns(EpisodeSource source, List<String> given) {
    int width = source.columns().observation();
    if (given.isEmpty()) {
      return source.names().isEmpty()
          ? IntStream.range(0, width).mapToObj(i -> "o" + i).toList()
          : source.names();
    }
    if (given.size() != width) {
      throw UserError.argument(
          "names",
          "expected %d names, one for each number of an observation, found %d: %s",
          width,
          given.size(),
          String.join(", ", given));
    }
    return given;
  }

  private void see(Episode episode) {
    longest = Math.max(longest, episode.transitions());
    // No action leads to the first row.
    for (int i = low.length; i < episode.actions().length; i++) {
      float action = episode.actions()[i];
      if (Float.isFinite(action)) {
        low[i % low.length] = Math.min(low[i % low.length], action);
        high[i % low.length] = Math.max(high[i % low.length], action);
      }
    }
  }

  private Space actions() {
    Optional<Space> told = source.actionSpace();
    if (source.hasNumberedActions() && !(low[0] < 0)) {
      int count = told.orElse(null) instanceof Space.Discrete numbered ? numbered.count() : 1;
      return new Space.Discrete((int) Math.max(count, high[0] + 1));
    }
    Space.Box box =
        told.orElse(null) instanceof Space.Box bounds && bounds.size() == low.length
            ? bounds
            : Space.Box.uniform(-1, 1, low.length);
    for (int i = 0; i < low.length; i++) {
      widen(i, box.low()[i], box.high()[i], told.isPresent());
    }
    return new Space.Box(low, high);
  }

  /**
   * The bounds that the file tells hold, or beyond them the data's own. Where it tells none, an
   * axis within [−1, 1] stays as it is.
   */
  private void widen(int axis, float least, float most, boolean told) {
    boolean inside = low[axis] >= least && high[axis] <= most;
    boolean unseen = low[axis] > high[axis];
    if (!Float.isFinite(least) || !Float.isFinite(most)) {
      least = unseen ? -1 : low[axis];
      most = unseen ? 1 : high[axis];
    }
    if (told || inside || unseen) {
      low[axis] = Math.min(least, low[axis]);
      high[axis] = Math.max(most, high[axis]);
    }
  }
}
