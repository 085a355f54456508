package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.training.Experience;
import dev.psm.core.data.Dataset;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.torch.CudaSupport;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Gradient steps of the continuous agents on a GPU, as a recording and one operation after the
 * other, in turns with Python PyTorch on the same GPU, beside the time that their arithmetic alone
 * would take. Whatever fails is told in a sentence, and the rest goes on.
 */
public final class GpuTrainingBench {
  private GpuTrainingBench() {}

  /**
   * @param python a Python to ask for the peer, or null to look for one
   * @param seeds how many are trained side by side, one measurement for each entry; the first also
   *     takes all comparisons
   */
  public record Settings(
      Path python,
      List<String> agents,
      List<String> sizes,
      List<Precision> precisions,
      List<Integer> seeds,
      int rounds) {}

  /**
   * @param failures what was required and did not hold, or could not be measured
   */
  public record Result(ObjectNode json, List<String> failures) {}

  /**
   * Where steps are taken; a test has no GPU.
   *
   * @param start makes it ready, or says why that cannot be; returns its name
   */
  record Place(String peerDevice, Supplier<String> start, Function<Precision, Device> devices) {}

  private static final Place GPU = new Place("cuda", GpuTrainingBench::startCuda, Device::cuda);

  /**
   * @param say takes the lines of a table as they are found: whoever must stop early has these
   */
  public static Result run(Settings settings, Progress progress, Consumer<String> say) {
    subjects(settings);
    if (!CudaSupport.gpuNatives()) {
      startCuda();
    }
    return run(settings, GPU, progress, say);
  }

  private static List<TrainingSubject> subjects(Settings settings) {
    List<TrainingSubject> subjects = new ArrayList<>();
    for (String size : settings.sizes()) {
      for (String agent : settings.agents()) {
        subjects.addAll(TrainingSubject.of(agent, TrainingSize.named(size)));
      }
    }
    return subjects;
  }

  static Result run(Settings settings, Place place, Progress progress, Consumer<String> say) {
    List<TrainingSubject> subjects = subjects(settings);
    Path python = settings.python() != null ? settings.python() : GridBench.findPython();
    List<String> failures = new ArrayList<>();
    ObjectNode document = Json.object();
    // The peers import torch while this process loads its own.
    try (TemporaryFolder folder =
            TemporaryFolder.in(Path.of(System.getProperty("java.io.tmpdir")));
        GpuPeers peers = new GpuPeers(python, folder.path(), place.peerDevice())) {
      if (python == null) {
        say.accept(GridBench.NO_PYTHON);
      } else {
        subjects.forEach(peers::start);
      }
      String gpu = place.start().get();
      document.put("device", gpu).put("floorRateOf", Floor.OF);
      say.accept(gpu + "; milliseconds a step, floors at " + Floor.OF);
      say.accept(GpuContest.HEADER);
      Path written = folder.path().resolve("dataset");
      SyntheticData.write(written);
      try (Dataset dataset = Dataset.open(written)) {
        SyntheticData.export(dataset, peers.data());
        ArrayNode steps = document.putArray("steps");
        for (Precision precision : settings.precisions()) {
          Device device = place.devices().apply(precision);
          try (Experience data = new Experience(dataset, device);
              Experience onProcessor = new Experience(dataset)) {
            for (int i = 0; i < settings.seeds().size(); i++) {
              for (TrainingSubject subject : subjects) {
                GpuContest contest =
                    new GpuContest(
                        subject,
                        precision,
                        settings.seeds().get(i),
                        i == 0 ? peers : null,
                        data,
                        onProcessor);
                contest.run(settings.rounds(), progress);
                contest.describe(steps.addObject(), say);
                failures.addAll(contest.failures());
              }
            }
          }
        }
      }
    }
    ArrayNode failed = document.putArray("failures");
    failures.forEach(failed::add);
    return new Result(document, failures);
  }

  private static String startCuda() {
    CudaSupport.problem()
        .ifPresent(
            problem -> {
              throw problem;
            });
    return CudaSupport.gpu().name();
  }

  /** What arithmetic alone would take. */
  static final class Floor {
    static final String OF = "NVIDIA's datasheet of the H200 SXM, without sparsity";

    private Floor() {}

    /** TFLOP/s. */
    static double rate(Precision precision) {
      return switch (precision) {
        case FLOAT32 -> 67;
        case TF32 -> 494.5;
        case BFLOAT16 -> 989;
      };
    }
  }

  /** As users and the peer write it. */
  static String id(Precision precision) {
    return precision.name().toLowerCase(Locale.ROOT);
  }
}
