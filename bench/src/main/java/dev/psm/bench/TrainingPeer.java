package dev.psm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.torch.Precision;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The same updates in Python PyTorch, in a process that takes steps when it is asked to. */
final class TrainingPeer implements AutoCloseable {
  /** How the peer may be written; the script explains them. */
  static final List<String> VARIANTS = List.of("published", "fused", "tuned");

  static final String PUBLISHED = "published";

  /** Those that the script has written down. */
  static final Set<String> AGENTS = Set.of("psm", "fb", "laplacian", "hilp");

  /** Those of them whose steps it can record as a graph. */
  static final Set<String> GRAPH_AGENTS = Set.of("psm", "fb");

  /** A whole step as one CUDA graph. */
  static final String GRAPH = "graph";

  private final Path python;
  private final Process process;
  private final BufferedWriter questions;
  private final BufferedReader answers;

  private final Duration patience;

  private TrainingPeer(Path python, Process process, Duration patience) {
    this.python = python;
    this.patience = patience;
    this.process = process;
    this.questions = process.outputWriter();
    this.answers = process.inputReader();
  }

  /**
   * @param folder for the script
   * @param data the dataset, as {@link SyntheticData#export} wrote it
   * @param start what {@link SyntheticData#firstSteps} wrote; both files are read at the first
   *     question
   * @param patience how long an answer may take
   */
  static TrainingPeer start(
      Path python, Path folder, ObjectNode settings, Path data, Path start, Duration patience) {
    Path script = folder.resolve("training_peer.py");
    try (InputStream source = TrainingPeer.class.getResourceAsStream("training_peer.py")) {
      Files.copy(source, script, StandardCopyOption.REPLACE_EXISTING);
      ProcessBuilder builder =
          new ProcessBuilder(
              python.toString(),
              script.toString(),
              Json.line(settings),
              data.toString(),
              start.toString());
      // Python as people start it; only how threads wait stays, which helps it on a busy machine.
      builder.environment().keySet().removeIf(name -> name.startsWith("MALLOC_"));
      Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
      return new TrainingPeer(python, process, patience);
    } catch (IOException e) {
      throw UserError.failed(e, "%s cannot be run: %s", python, e.getMessage());
    }
  }

  /** Losses of the first steps, the version of torch and its device. */
  JsonNode check(String variant, Precision precision) {
    return ask(question("check", variant, precision));
  }

  StepTime round(String variant, Precision precision, int steps) {
    JsonNode answer = ask(question("round", variant, precision).put("steps", steps));
    return new StepTime(
        answer.path("milliseconds").asDouble(), answer.path("cpuMilliseconds").asDouble());
  }

  private static ObjectNode question(String what, String variant, Precision precision) {
    return Json.object()
        .put("do", what)
        .put("variant", variant)
        .put("precision", precision.name().toLowerCase(Locale.ROOT));
  }

  private JsonNode ask(ObjectNode question) {
    String answer = null;
    try {
      questions.write(Json.line(question));
      questions.newLine();
      questions.flush();
      answer =
          CompletableFuture.supplyAsync(this::line).get(patience.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      process.destroyForcibly();
      throw UserError.failed(
          e, "the peer has not answered for %d seconds and was ended", patience.toSeconds());
    } catch (IOException | ExecutionException e) {
      throw UserError.failed(e, "the peer ended early; is torch installed for %s?", python);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UserError.failed(e, "interrupted while the peer worked");
    }
    if (answer == null) {
      throw UserError.failed(null, "the peer ended early; is torch installed for %s?", python);
    }
    JsonNode parsed = Json.parse(answer, "the peer's answer");
    if (parsed.has("error")) {
      throw UserError.failed(null, "the peer failed: %s", parsed.path("error").asText());
    }
    return parsed;
  }

  private String line() {
    try {
      return answers.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
