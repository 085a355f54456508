package dev.psm.lab.control;

import dev.psm.mujoco.suite.DomainFacts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The paper's own returns: its Table 1, and its ablation over the dimension d. */
final class PaperControl {
  private static final Map<String, Figure> FIGURES = read();

  /**
   * A mean over the paper's five seeds.
   *
   * @param spread the paper's ±
   */
  record Figure(double mean, double spread) {}

  private PaperControl() {}

  /**
   * @param variant an agent's id, or {@code d=32} and the like for the ablation
   */
  static Optional<Figure> of(String domain, String task, String variant) {
    return Optional.ofNullable(FIGURES.get(key(domain, task, variant)));
  }

  /**
   * The mean over a domain's tasks, from its rows: the printed averages do not always follow from
   * them.
   */
  static Optional<Double> average(DomainFacts facts, String variant) {
    double sum = 0;
    for (var task : facts.tasks()) {
      Optional<Figure> figure = of(facts.name(), task.name(), variant);
      if (figure.isEmpty()) {
        return Optional.empty();
      }
      sum += figure.get().mean();
    }
    return Optional.of(sum / facts.tasks().size());
  }

  private static String key(String domain, String task, String variant) {
    return domain + "," + task + "," + variant;
  }

  private static Map<String, Figure> read() {
    Map<String, Figure> figures = new HashMap<>();
    try (InputStream in = PaperControl.class.getResourceAsStream("paper.csv")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      text.lines()
          .skip(1)
          .map(line -> line.split(",", -1))
          .forEach(
              cells ->
                  figures.put(
                      key(cells[0], cells[1], cells[2]),
                      new Figure(Double.parseDouble(cells[3]), Double.parseDouble(cells[4]))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return figures;
  }
}
