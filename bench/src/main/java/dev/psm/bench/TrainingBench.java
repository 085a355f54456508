package dev.psm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.control.ControlAgent;
import dev.psm.agents.control.ControlTrainer;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.agents.training.Experience;
import dev.psm.core.data.Dataset;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.torch.Precision;
import dev.psm.torch.TorchRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Gradient steps of the continuous agents, in turns with the same steps in Python PyTorch: so that
 * whatever else the machine does falls on both. Before that both take the same first steps, from
 * the same weights and draws, and their losses are compared.
 */
public final class TrainingBench {
  /** After the first step rounding has been amplified by Adam, whose first steps are signs. */
  private static final double FIRST_TOLERANCE = 1e-4;

  private static final double LATER_TOLERANCE = 1e-2;
  private static final int CHECK_STEPS = 3;

  /** Large networks on a busy processor take their time. */
  private static final Duration PATIENCE = Duration.ofDays(1);

  private TrainingBench() {}

  /**
   * @param python a Python to ask for the peer, or null to look for one
   * @param memorySteps steps over which resident memory is watched; 0 for none
   */
  public record Settings(
      Path python, List<String> agents, List<String> sizes, int rounds, int memorySteps) {}

  /** What was measured: a document, and the same for people. */
  public record Result(ObjectNode json, String text) {}

  public static Result run(Settings settings, Progress progress) {
    List<TrainingSubject> subjects = new ArrayList<>();
    for (String size : settings.sizes()) {
      for (String agent : settings.agents()) {
        subjects.addAll(TrainingSubject.of(agent, TrainingSize.named(size)));
      }
    }
    ObjectNode document = Json.object();
    StringBuilder text = new StringBuilder();
    document.put("threads", TorchRuntime.threads());
    Path python = settings.python() != null ? settings.python() : GridBench.findPython();
    if (python == null) {
      text.append(GridBench.NO_PYTHON).append('\n');
    }
    try (TemporaryFolder folder =
        TemporaryFolder.in(Path.of(System.getProperty("java.io.tmpdir")))) {
      Path written = folder.path().resolve("dataset");
      SyntheticData.write(written);
      try (Dataset dataset = Dataset.open(written)) {
        Path exported = folder.path().resolve("data.safetensors");
        SyntheticData.export(dataset, exported);
        Experience data = new Experience(dataset);
        ArrayNode contests = document.putArray("steps");
        for (TrainingSubject subject : subjects) {
          Contest contest = new Contest(subject, data, folder.path(), exported);
          contest.run(python, settings.rounds(), progress);
          contest.describe(contests.addObject(), text);
        }
        if (settings.memorySteps() > 0) {
          ControlTrainer watched =
              new TrainingSubject(FactoredPsm.AGENT, ControlAgent.WHOLE_STEP, TrainingSize.SMALL)
                  .trainer(data, 1);
          MemoryWatch.run(watched::step, settings.memorySteps(), document, text, progress);
        }
      }
    }
    return new Result(document, text.toString().stripTrailing());
  }

  /** One subject's rounds. */
  private static final class Contest {
    private final TrainingSubject subject;
    private final ControlTrainer trainer;
    private final Path folder;
    private final Path data;
    private final List<StepTime> ours = new ArrayList<>();
    private final List<StepTime> drawing = new ArrayList<>();
    private final Map<String, List<StepTime>> theirs = new LinkedHashMap<>();
    private String torch = "";
    private double difference;

    Contest(TrainingSubject subject, Experience experience, Path folder, Path data) {
      this.subject = subject;
      this.trainer = subject.trainer(experience, 1);
      this.folder = folder;
      this.data = data;
    }

    void run(Path python, int rounds, Progress progress) {
      Path start = folder.resolve("start.safetensors");
      List<Map<String, double[]>> watched = SyntheticData.firstSteps(trainer, CHECK_STEPS, start);
      String label = subject.size().id() + " " + subject.id();
      if (python == null || !TrainingPeer.AGENTS.contains(subject.agent().id())) {
        rounds(null, rounds, label, progress);
        return;
      }
      ObjectNode settings =
          subject
              .describe()
              .put("device", "cpu")
              .put("threads", TorchRuntime.threads())
              .put("checkSteps", CHECK_STEPS);
      try (TrainingPeer peer =
          TrainingPeer.start(python, folder, settings, data, start, PATIENCE)) {
        JsonNode answer = peer.check(TrainingPeer.PUBLISHED, Precision.FLOAT32);
        torch = answer.path("torch").asText();
        difference =
            FirstLosses.difference(
                subject.id(), watched, answer.path("losses"), FIRST_TOLERANCE, LATER_TOLERANCE);
        rounds(peer, rounds, label, progress);
      }
    }

    /** The first round of each warms it up and does not count. */
    private void rounds(TrainingPeer peer, int rounds, String label, Progress progress) {
      int steps = subject.size().stepsPerRound();
      for (int step = 0; step < subject.size().warmUpSteps(); step++) {
        trainer.step();
      }
      try (Progress.Bar bar = progress.start(label, rounds + 1)) {
        for (int round = 0; round <= rounds; round++) {
          StepTime mine = StepTime.of(trainer::step, steps);
          StepTime draw = StepTime.of(() -> trainer.draw().close(), steps);
          if (round > 0) {
            ours.add(mine);
            drawing.add(draw);
          }
          for (String variant : peer == null ? List.<String>of() : TrainingPeer.VARIANTS) {
            StepTime other = peer.round(variant, Precision.FLOAT32, steps);
            if (round > 0) {
              theirs.computeIfAbsent(variant, any -> new ArrayList<>()).add(other);
            }
          }
          bar.update(round + 1, "%.1f ms a step".formatted(mine.wall()));
        }
      }
    }

    void describe(ObjectNode node, StringBuilder text) {
      StepTime step = StepTime.median(ours);
      StepTime draw = StepTime.median(drawing);
      double share = draw.wall() / step.wall();
      node.put("size", subject.size().id()).put("agent", subject.agent().id());
      node.put("phase", subject.phase()).put("rounds", ours.size());
      node.put("stepsPerRound", subject.size().stepsPerRound());
      step.describe(node);
      node.put("drawMilliseconds", draw.wall()).put("drawShare", share);
      text.append(
          String.format(
              Locale.ROOT,
              "%-6s %-13s psm %.2f ms a step (%.2f ms of processors), drawing %.1f %%%n",
              subject.size().id(),
              subject.id(),
              step.wall(),
              step.cpu(),
              100 * share));
      if (!theirs.isEmpty()) {
        ObjectNode peer = node.putObject("peer");
        peer.put("torch", torch).put("largestDifferenceOfFirstLosses", difference);
        theirs.forEach((variant, times) -> describe(peer.putObject(variant), variant, times, text));
      }
    }

    private void describe(
        ObjectNode node, String variant, List<StepTime> times, StringBuilder text) {
      StepTime step = StepTime.median(times);
      StepTime ratio = StepTime.ratio(ours, times);
      step.describe(node);
      node.put("ratio", ratio.wall()).put("cpuRatio", ratio.cpu());
      text.append(
          String.format(
              Locale.ROOT,
              "%22s%-9s %.2f ms (%.2f), ratio %.2f (%.2f)%n",
              "",
              variant,
              step.wall(),
              step.cpu(),
              ratio.wall(),
              ratio.cpu()));
    }
  }
}
