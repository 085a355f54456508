package dev.psm.lab.balance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.data.Episode;
import dev.psm.core.io.AtomicFolders;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import dev.psm.lab.Progress;
import dev.psm.lab.collect.Coverage;
import dev.psm.lab.collect.StoredStates;
import dev.psm.lab.compute.WorkContext;
import java.nio.file.Path;

/**
 * A dataset of segments of another one's episodes, in which all visited cells are visited about
 * equally. Memory does not grow with the data, but for a few bytes per episode: it holds a block of
 * states, a chunk that waits to be written, and the tables of coverage before and after.
 *
 * <p>Drawing is systematic: along the sum of all weights, marks lie at equal distances from a
 * random first one, and a segment is drawn once for each mark that falls on it. So each comes as
 * often as its weight demands, rounded down or up, and in the order of the source.
 */
public final class BalancedData {
  /** The collector of balanced data. */
  public static final String COLLECTOR = "balance";

  private final Dataset source;
  private final BalanceSettings settings;
  private final WorkContext context;
  private final Segments segments;
  private final Totals totals = new Totals();
  private long drawn;
  private long distinct;
  private long mostOften;

  private BalancedData(Dataset source, BalanceSettings settings, WorkContext context) {
    this.source = source;
    this.settings = settings;
    this.context = context;
    this.segments = new Segments(source, settings.segment());
  }

  /**
   * What came out.
   *
   * @param episodes drawn segments
   * @param segments that the source has
   * @param distinct segments among those drawn
   * @param mostOften how many times the one is there that was drawn most often
   */
  public record Result(
      long episodes,
      long transitions,
      long segments,
      long distinct,
      long mostOften,
      Coverage before,
      Coverage after) {

    public ObjectNode json() {
      ObjectNode node = Json.object().put("episodes", episodes).put("transitions", transitions);
      node.put("segments", segments).put("distinct", distinct).put("mostOften", mostOften);
      node.set("before", before.json());
      node.set("after", after.json());
      return node;
    }
  }

  /** All sums over the segments of the source. */
  private static final class Totals {
    private long segments;
    private double weight;
    private double weightedTransitions;
  }

  /**
   * Writes the new dataset with its report.
   *
   * @param out a folder that is new or empty; it appears once it is complete
   * @param threads only change the speed
   */
  public static Result run(
      Dataset source, BalanceSettings settings, Path out, int threads, WorkContext context) {
    OutputFolder.requireEmpty(out, "balancing", "a dataset", Dataset::isIn);
    StoredStates states = new StoredStates(source, threads);
    BalanceCells cells = BalanceCells.of(states.world());
    source.requireIntact();
    BalancedData balanced = new BalancedData(source, settings, context);
    Result[] result = new Result[1];
    AtomicFolders.writeNew(
        out, folder -> result[0] = balanced.write(folder, states, cells, threads));
    return result[0];
  }

  private Result write(Path folder, StoredStates states, BalanceCells cells, int threads) {
    Coverage before = Coverage.of(source, threads);
    CellFile measured =
        CellFile.write(folder.resolve("cells.tmp"), states, cells, source.rows(), context);
    CellWeights weights =
        new CellWeights(segments.visits(measured, cells.count()), settings.power());
    segments.visit(measured, weights, this::add);
    draw(folder, measured, weights);
    measured.delete();
    try (Dataset balanced = Dataset.open(folder)) {
      Result result =
          new Result(
              balanced.episodes(),
              balanced.transitions(),
              totals.segments,
              distinct,
              mostOften,
              before,
              Coverage.of(balanced, threads));
      ObjectNode provenance = result.json();
      provenance.set("settings", balanced.description().settings());
      provenance.put("seed", settings.seed());
      result.after.writeReport(folder.resolve("report.html"), Json.pretty(provenance), before);
      return result;
    }
  }

  private void add(long firstRow, int transitions, double weight) {
    totals.segments++;
    totals.weight += weight;
    totals.weightedTransitions += weight * transitions;
  }

  private void draw(Path folder, CellFile measured, CellWeights weights) {
    double meanTransitions = totals.weightedTransitions / totals.weight;
    long draws = Math.max(1, Math.round(settings.transitions() / meanTransitions));
    if (draws > Integer.MAX_VALUE) {
      throw UserError.argument(
          "transitions",
          "%d make %d segments, and a dataset has room for %d; take fewer transitions or longer"
              + " segments",
          settings.transitions(),
          draws,
          Integer.MAX_VALUE);
    }
    double distance = totals.weight / draws;
    double first =
        distance * Seeds.generator(Seeds.mix(settings.seed(), 0, "balanced segments")).nextDouble();
    double[] passed = new double[1];
    try (DatasetWriter writer = DatasetWriter.create(folder, description());
        Progress.Bar bar = context.progress().start("write segments", draws)) {
      bar.update(0, "");
      segments.visit(
          measured,
          weights,
          (firstRow, transitions, weight) -> {
            passed[0] += weight;
            long marks = (long) Math.ceil((passed[0] - first) / distance);
            long times = Math.min(draws, marks) - drawn;
            if (times > 0) {
              append(writer, segments.episode(firstRow, transitions), times);
              bar.update(drawn, "");
            }
          });
      writer.flush();
    }
  }

  private void append(DatasetWriter writer, Episode segment, long times) {
    for (long i = 0; i < times; i++) {
      CellFile.requireWanted(context);
      writer.append(segment);
    }
    drawn += times;
    distinct++;
    mostOften = Math.max(mostOften, times);
  }

  private DatasetDescription description() {
    DatasetDescription from = source.description();
    ObjectNode described = Json.object();
    described
        .putObject("source")
        .put("folder", source.folder().toString())
        .put("fingerprint", source.fingerprint())
        .put("collector", from.collector())
        .put("seed", from.seed())
        .set("settings", from.settings());
    described.put("transitions", settings.transitions());
    described.put("segment", settings.segment()).put("power", settings.power());
    return new DatasetDescription(
        from.environment(),
        from.stored(),
        from.engine(),
        COLLECTOR,
        described,
        settings.seed(),
        from.columns());
  }
}
