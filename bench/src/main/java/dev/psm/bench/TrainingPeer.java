package dev.psm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The same updates in Python PyTorch, in a process that takes steps when it is asked to. */
final class TrainingPeer implements AutoCloseable {
  /** How the peer may be written; the script explains them. */
  static final List<String> VARIANTS = List.of("published", "fused", "tuned");

  private final Path python;
  private final Process process;
  private final BufferedWriter questions;
  private final BufferedReader answers;

  private TrainingPeer(Path python, Process process) {
    this.python = python;
    this.process = process;
    this.questions = process.outputWriter();
    this.answers = process.inputReader();
  }

  /**
   * @param folder for the script
   * @param data the dataset, as {@link TrainingData#export} wrote it
   * @param start what {@link TrainingData#firstSteps} wrote
   */
  static TrainingPeer start(Path python, Path folder, ObjectNode settings, Path data, Path start) {
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
      return new TrainingPeer(python, process);
    } catch (IOException e) {
      throw UserError.failed(e, "%s cannot be run: %s", python, e.getMessage());
    }
  }

  /** Losses of the first steps and the version of torch. */
  JsonNode check() {
    return ask(Json.object().put("do", "check"));
  }

  StepTime round(String variant, int steps) {
    JsonNode answer =
        ask(Json.object().put("do", "round").put("variant", variant).put("steps", steps));
    return new StepTime(
        answer.path("milliseconds").asDouble(), answer.path("cpuMilliseconds").asDouble());
  }

  private JsonNode ask(ObjectNode question) {
    try {
      questions.write(Json.line(question));
      questions.newLine();
      questions.flush();
      String answer = answers.readLine();
      if (answer != null) {
        return Json.parse(answer, "the peer's answer");
      }
    } catch (IOException e) {
      throw UserError.failed(e, "the peer ended early; is torch installed for %s?", python);
    }
    throw UserError.failed(null, "the peer ended early; is torch installed for %s?", python);
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
