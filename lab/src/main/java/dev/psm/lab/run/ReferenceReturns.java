package dev.psm.lab.run;

import dev.psm.core.env.World;
import dev.psm.core.reward.Task;
import dev.psm.view.report.LineChart;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Returns to compare with, by domain, task and variant: the paper's, and of random actions. */
public final class ReferenceReturns {
  /** The paper's Table 1, by an agent's id, and its ablation, by {@code d=32} and the like. */
  public static final ReferenceReturns PAPER = new ReferenceReturns("paper.csv");

  /** Of {@code env random NAME --episodes 500}: a mean over episodes, and their deviation. */
  public static final ReferenceReturns RANDOM = new ReferenceReturns("random.csv");

  /** The only variant of {@link #RANDOM}. */
  static final String ACTIONS = "random";

  private final Map<String, Figure> figures = new HashMap<>();
  private final Set<String> variants = new HashSet<>();

  /**
   * A mean, of the paper's over five seeds.
   *
   * @param spread its ±
   */
  public record Figure(double mean, double spread) {}

  private ReferenceReturns(String resource) {
    try (InputStream in = ReferenceReturns.class.getResourceAsStream(resource)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      text.lines()
          .skip(1)
          .map(line -> line.split(",", -1))
          .forEach(
              cells -> {
                variants.add(cells[2]);
                figures.put(
                    key(cells[0], cells[1], cells[2]),
                    new Figure(Double.parseDouble(cells[3]), Double.parseDouble(cells[4])));
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What there are figures of. */
  public Set<String> variants() {
    return variants;
  }

  public Optional<Figure> of(String domain, String task, String variant) {
    return Optional.ofNullable(figures.get(key(domain, task, variant)));
  }

  /**
   * The mean over a domain's tasks, from its rows: the paper's printed averages do not always
   * follow from them.
   */
  public Optional<Double> average(World world, String variant) {
    double sum = 0;
    for (Task task : world.tasks()) {
      Optional<Figure> figure = of(world.name(), task.name(), variant);
      if (figure.isEmpty()) {
        return Optional.empty();
      }
      sum += figure.get().mean();
    }
    return Optional.of(sum / world.tasks().size());
  }

  /** Of a task, or of the average. */
  public Optional<Double> mean(World world, String row, String variant) {
    return row.equals(Grade.RETURNS.headline())
        ? average(world, variant)
        : of(world.name(), row, variant).map(Figure::mean);
  }

  /** Draws the paper's return as a line in the colour of the curve that was drawn last. */
  public static void drawPaper(
      LineChart chart, World world, String row, String variant, String title) {
    PAPER
        .mean(world, row, variant)
        .ifPresent(mean -> chart.referenceOfLast("%s in the paper".formatted(title), mean));
  }

  /** Draws the return of random actions as a line. */
  public static void drawRandom(LineChart chart, World world, String row) {
    RANDOM.mean(world, row, ACTIONS).ifPresent(mean -> chart.reference("random actions", mean));
  }

  private static String key(String domain, String task, String variant) {
    return domain + "," + task + "," + variant;
  }
}
