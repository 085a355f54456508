package dev.psm.lab.run;

import com.google.errorprone.annotations.FormatMethod;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.World;
import dev.psm.core.io.DecimalNumber;
import dev.psm.core.io.TextFiles;
import dev.psm.core.io.numpy.Npy;
import dev.psm.core.io.numpy.NpyHeader;
import dev.psm.core.io.numpy.Npz;
import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Observations that a user brings along: a goal, a demonstration, or states with their rewards.
 *
 * <p>Three formats, told apart by the name's ending: {@code .npy}, one array, observations as rows;
 * {@code .npz}, with the arrays {@code observation} and, for samples, {@code reward}; anything else
 * is text with one observation a line, numbers apart by commas or blanks, {@code #} before remarks,
 * the reward last.
 */
public final class PromptFile {
  private static final String OBSERVATION = "observation";
  private static final String REWARD = "reward";
  private static final String FORMATS =
      "text, a name that ends in .npy or .npz, or a dataset's folder, which has a dataset.json";

  /** A number, or what somebody may take for one. */
  private static final Pattern NUMBER =
      Pattern.compile("(?i)[+-]?(nan|inf(inity)?|[\\d.][\\d.e+-]*+)?");

  private final Path file;
  private final World world;

  private PromptFile(Path file, World world) {
    this.file = file;
    this.world = world;
  }

  /** One observation. */
  public static Prompt.Goal goal(Path file, World world) {
    PromptFile prompt = new PromptFile(file, world);
    Table table = prompt.observations();
    if (table.rows != 1) {
      throw prompt.error(
          "a goal is one observation of %d numbers, found %d of them",
          world.observationSize(), table.rows);
    }
    return new Prompt.Goal(table.floats(world.observationSize()), prompt.name(), Optional.empty());
  }

  /** Whether a text is meant as numbers rather than as the name of a file. */
  public static boolean isNumbers(String text) {
    return !text.isBlank()
        && !Files.exists(Path.of(text))
        && Arrays.stream(text.split(",", -1))
            .allMatch(word -> NUMBER.matcher(word.strip()).matches());
  }

  /**
   * A goal written down: an observation, or those of its numbers that goals of the agent speak of,
   * with commas between them.
   */
  public static Prompt.Goal goal(String text, ZeroShotAgent agent) {
    World world = agent.environment();
    String[] words = text.split(",", -1);
    int size = agent.model().goalSize();
    if (words.length != size && words.length != world.observationSize()) {
      throw UserError.argument(
          "goal",
          "a goal of %s has %s%s, found %d: %s",
          world.name(),
          Wording.count(size, "number"),
          size == world.observationSize() ? "" : ", an observation " + world.observationSize(),
          words.length,
          text);
    }
    float[] goal = new float[words.length];
    for (int i = 0; i < goal.length; i++) {
      goal[i] =
          (float)
              DecimalNumber.read(
                  words[i].strip(), Float.MAX_VALUE, "number %d of the goal".formatted(i + 1));
    }
    return new Prompt.Goal(goal, text.strip(), Optional.empty());
  }

  /** Observations in their order, at least two. */
  public static Prompt.Demonstration demonstration(Path file, World world, int window) {
    PromptFile prompt = new PromptFile(file, world);
    Table table = prompt.observations();
    if (table.rows < 2) {
      throw prompt.error(
          "a demonstration is at least 2 observations, one a row, found %d", table.rows);
    }
    return new Prompt.Demonstration(
        table.floats(world.observationSize()), window, prompt.name(), Optional.empty());
  }

  /** Observations with a reward each. */
  public static Prompt.Samples samples(Path file, World world) {
    PromptFile prompt = new PromptFile(file, world);
    int width = world.observationSize();
    Table table;
    if (prompt.endsWith(".npz")) {
      table = prompt.labelledArrays();
    } else if (prompt.endsWith(".npy")) {
      throw prompt.error(
          "one array cannot hold states and rewards; expected .npz with '%s' and '%s', or text"
              + " with the reward last",
          OBSERVATION, REWARD);
    } else {
      table = prompt.text(width + 1, "an observation of %d and a reward".formatted(width));
    }
    return new Prompt.Samples(table.floats(width), table.column(width), prompt.name());
  }

  /** Numbers in rows, all finite. */
  private record Table(double[] values, int rows) {
    int width() {
      return values.length / rows;
    }

    /** The first columns of every row. */
    float[] floats(int columns) {
      float[] floats = new float[rows * columns];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = (float) values[i / columns * width() + i % columns];
      }
      return floats;
    }

    double[] column(int column) {
      double[] numbers = new double[rows];
      for (int row = 0; row < rows; row++) {
        numbers[row] = values[row * width() + column];
      }
      return numbers;
    }
  }

  private Table observations() {
    int width = world.observationSize();
    if (endsWith(".npz")) {
      try (Npz npz = Npz.open(file)) {
        return observations(npz);
      }
    }
    if (endsWith(".npy")) {
      try (Npy npy = Npy.open(file)) {
        int rows = rows(npy.header(), "the array");
        return checked(npy.doubles(), rows, "the array");
      }
    }
    return text(width, "an observation of " + world.name());
  }

  private Table observations(Npz npz) {
    String name = "array '" + OBSERVATION + "'";
    int rows = rows(npz.header(OBSERVATION), name);
    return checked(npz.doubles(OBSERVATION), rows, name);
  }

  private Table labelledArrays() {
    try (Npz npz = Npz.open(file)) {
      Table states = observations(npz);
      NpyHeader header = npz.header(REWARD);
      if (header.rows() != states.rows || header.rowElements() != 1) {
        throw error(
            "array '%s': expected one number for each of %d observations, found %s",
            REWARD, states.rows, header);
      }
      Table rewards = checked(npz.doubles(REWARD), states.rows, "array '" + REWARD + "'");
      int width = world.observationSize();
      double[] joined = new double[states.rows * (width + 1)];
      for (int row = 0; row < states.rows; row++) {
        System.arraycopy(states.values, row * width, joined, row * (width + 1), width);
        joined[row * (width + 1) + width] = rewards.values[row];
      }
      return new Table(joined, states.rows);
    }
  }

  /** How many observations an array holds; one of a single dimension is one observation. */
  private int rows(NpyHeader header, String name) {
    int width = world.observationSize();
    List<Long> shape = header.shape();
    boolean matrix = shape.size() == 2 && shape.get(0) > 0 && shape.get(1) == width;
    boolean vector = shape.size() == 1 && shape.get(0) == width;
    if (!matrix && !vector) {
      throw error(
          "%s: expected the shape (rows, %d) or (%d,), since an observation of %s has %d numbers,"
              + " found %s",
          name, width, width, world.name(), width, header);
    }
    return vector ? 1 : Math.toIntExact(shape.get(0));
  }

  private Table checked(double[] values, int rows, String name) {
    Table table = new Table(values, rows);
    for (int i = 0; i < values.length; i++) {
      if (!Float.isFinite((float) values[i])) {
        throw error(
            "%s, row %d, column %d (from 0): expected a finite number of single precision, found %s",
            name, i / table.width(), i % table.width(), values[i]);
      }
    }
    return table;
  }

  private Table text(int width, String what) {
    List<double[]> rows = new ArrayList<>();
    List<String> lines = TextFiles.lines(file, FORMATS);
    for (int line = 0; line < lines.size(); line++) {
      String content = lines.get(line).replaceFirst("#.*", "").strip();
      if (!content.isEmpty()) {
        rows.add(numbers(content, line + 1, width, what));
      }
    }
    if (rows.isEmpty()) {
      throw error("expected a line with %d numbers, %s, found no line at all", width, what);
    }
    double[] values = new double[rows.size() * width];
    for (int row = 0; row < rows.size(); row++) {
      System.arraycopy(rows.get(row), 0, values, row * width, width);
    }
    return new Table(values, rows.size());
  }

  private double[] numbers(String content, int line, int width, String what) {
    String[] words = content.split("\\s*,\\s*|\\s+", -1);
    double[] numbers = new double[words.length];
    for (int i = 0; i < words.length; i++) {
      numbers[i] =
          DecimalNumber.read(
              words[i], Float.MAX_VALUE, "%s, line %d, column %d".formatted(file, line, i + 1));
    }
    if (words.length != width) {
      throw error("line %d: expected %d numbers, %s, found %d", line, width, what, words.length);
    }
    return numbers;
  }

  private String name() {
    return file.getFileName().toString();
  }

  private boolean endsWith(String ending) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(ending);
  }

  @FormatMethod
  private UserError error(String message, Object... arguments) {
    return UserError.invalid("%s: %s", file, message.formatted(arguments));
  }
}
