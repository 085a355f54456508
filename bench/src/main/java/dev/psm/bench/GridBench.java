package dev.psm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.affine.AffinePsm;
import dev.psm.agents.affine.AffinePsmSettings;
import dev.psm.core.UserError;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.Json;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Progress;
import dev.psm.torch.TorchRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Affine PSM's gradient step on the gridworld in its two modes: tables with the exact expectation
 * (d 32, 16 codes), and the published networks with a sampled mesh (d 256, width 1024, batch 16).
 * The peer is the same update written plainly in Python PyTorch.
 */
public final class GridBench {
  private static final int ROUNDS = 5;

  private GridBench() {}

  /** A mode to measure, and how many of its steps make a round. */
  record Mode(String id, AffinePsmSettings settings, int stepsPerRound) {
    static final Mode EXACT =
        new Mode(
            "exact",
            Settings.override(
                AffinePsmSettings.tabular(),
                List.of("codesPerStep=16", "enrichedCodes=0", "decay=none")),
            150);
    static final Mode PAPER = new Mode("paper", AffinePsmSettings.paper(), 8);
  }

  static final String NO_PYTHON =
      "no Python with torch found, so there is no peer; name one by the parameter python";

  /** What was measured: a document, and the same for people. */
  public record Result(ObjectNode json, String text) {}

  /**
   * @param python a Python to ask for the peer, or null to look for one
   * @param memorySteps steps over which resident memory is watched; 0 for none
   */
  public static Result run(Path python, int memorySteps, Progress progress) {
    ObjectNode document = Json.object();
    StringBuilder text = new StringBuilder();
    document.put("threads", TorchRuntime.threads());
    Path peer = python != null ? python : findPython();
    if (peer == null) {
      text.append(NO_PYTHON).append('\n');
    }
    ObjectNode modes = document.putObject("modes");
    for (Mode mode : List.of(Mode.EXACT, Mode.PAPER)) {
      ObjectNode node = modes.putObject(mode.id());
      AffinePsm trainer = trainer(mode);
      rounds(trainer, mode.stepsPerRound(), 1, progress, "warming up " + mode.id());
      double[] ours = rounds(trainer, mode.stepsPerRound(), ROUNDS, progress, "psm, " + mode.id());
      node.put("millisecondsPerStep", median(ours));
      text.append(String.format(Locale.ROOT, "%-6s psm %8.2f ms a step", mode.id(), median(ours)));
      if (peer != null) {
        double theirs = peerMilliseconds(peer, mode, document.path("threads").asInt());
        node.put("peerMillisecondsPerStep", theirs);
        node.put("ratio", median(ours) / theirs);
        text.append(
            String.format(
                Locale.ROOT,
                "   Python PyTorch %8.2f ms   ratio %.2f",
                theirs,
                median(ours) / theirs));
      }
      text.append('\n');
    }
    if (memorySteps > 0) {
      MemoryWatch.run(trainer(Mode.EXACT)::step, memorySteps, document, text, progress);
    }
    return new Result(document, text.toString().stripTrailing());
  }

  private static AffinePsm trainer(Mode mode) {
    TransitionTable data =
        FiniteWorld.transitions(
            new GridWorld(GridMap.named("gridworld")), mode.settings().discount());
    return new AffinePsm(mode.settings(), data, 0);
  }

  /** Milliseconds per step of each round. */
  private static double[] rounds(
      AffinePsm trainer, int steps, int rounds, Progress progress, String label) {
    double[] milliseconds = new double[rounds];
    try (Progress.Bar bar = progress.start(label, (long) rounds * steps)) {
      for (int round = 0; round < rounds; round++) {
        long start = System.nanoTime();
        for (int step = 0; step < steps; step++) {
          trainer.step();
        }
        milliseconds[round] = (System.nanoTime() - start) / 1e6 / steps;
        bar.update((long) (round + 1) * steps, "");
      }
    }
    return milliseconds;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  static Path findPython() {
    try {
      // Any folder called torch can be imported, this project's own among them; only torch counts.
      Process process =
          new ProcessBuilder("python3", "-c", "import torch; torch.ones(1)")
              .redirectErrorStream(true)
              .start();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0 ? Path.of("python3") : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private static double peerMilliseconds(Path python, Mode mode, int threads) {
    try (InputStream source = GridBench.class.getResourceAsStream("grids_peer.py")) {
      Path script = Files.createTempFile("psm-peer", ".py");
      try {
        Files.copy(source, script, StandardCopyOption.REPLACE_EXISTING);
        Process process =
            new ProcessBuilder(
                    python.toString(),
                    script.toString(),
                    mode.id(),
                    Integer.toString(mode.stepsPerRound()),
                    Integer.toString(ROUNDS),
                    Integer.toString(threads),
                    String.join("\n", GridMap.named("gridworld").lines()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
          throw UserError.failed(null, "the peer failed; is torch installed for %s?", python);
        }
        JsonNode parsed = Json.parse(answer, "the peer's answer");
        return parsed.path("millisecondsPerStep").asDouble();
      } finally {
        Files.deleteIfExists(script);
      }
    } catch (IOException e) {
      throw UserError.failed(e, "%s cannot be run: %s", python, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UserError.failed(e, "interrupted while the peer ran");
    }
  }
}
