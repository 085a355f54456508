package dev.psm.lab.pass;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Whole episodes of a dataset, one after the other: a part of a pass.
 *
 * @param first of them, and {@code end} the one after the last
 */
public record EpisodeRange(int first, int end) {
  private static final String DATASET = "dataset";
  private static final String FINGERPRINT = "fingerprint";
  private static final String FIRST = "firstEpisode";
  private static final String END = "endEpisode";

  /**
   * Cuts a dataset into parts of about equal length.
   *
   * @param rowsOfAPart at least, where there are so many
   * @param most parts
   */
  public static List<EpisodeRange> cut(Dataset dataset, long rowsOfAPart, int most) {
    long parts = Math.max(1, Math.min(most, dataset.rows() / rowsOfAPart));
    List<EpisodeRange> ranges = new ArrayList<>();
    int first = 0;
    for (long part = 1; part <= parts; part++) {
      int end =
          part == parts ? dataset.episodes() : dataset.episodeOf(dataset.rows() / parts * part);
      if (end > first) {
        ranges.add(new EpisodeRange(first, end));
        first = end;
      }
    }
    return ranges;
  }

  public long firstRow(Dataset dataset) {
    return dataset.firstRow(first);
  }

  public long endRow(Dataset dataset) {
    return dataset.lastRow(end - 1) + 1;
  }

  public long rows(Dataset dataset) {
    return endRow(dataset) - firstRow(dataset);
  }

  /** As a task, to which more may be added. */
  public ObjectNode task(Dataset dataset) {
    return Json.object()
        .put(DATASET, dataset.folder().toAbsolutePath().normalize().toString())
        .put(FINGERPRINT, dataset.fingerprint())
        .put(FIRST, first)
        .put(END, end);
  }

  public static EpisodeRange of(ObjectNode task) {
    JsonField root = JsonField.of("a task", task);
    return new EpisodeRange(
        root.get(FIRST).integer(0, Integer.MAX_VALUE), root.get(END).integer(1, Integer.MAX_VALUE));
  }

  /** The dataset of a task, as it was when the task was made. */
  public static Dataset open(ObjectNode task) {
    Path folder = Path.of(task.path(DATASET).asText());
    Dataset dataset = Dataset.open(folder);
    if (!dataset.fingerprint().equals(task.path(FINGERPRINT).asText())) {
      dataset.close();
      throw changed(folder);
    }
    return dataset;
  }

  /** The refusal where a dataset is not the one that a task was made for. */
  public static UserError changed(Path folder) {
    return UserError.failed(
        null,
        "%s has changed since the pass over it began, or is another dataset on this machine",
        folder);
  }
}
