package dev.psm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.control.ControlTrainer;
import dev.psm.agents.control.DeviceChecks;
import dev.psm.agents.training.Experience;
import dev.psm.core.UserError;
import dev.psm.lab.Progress;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import dev.psm.torch.TensorDifference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The rounds of one subject at one precision with so many seeds. */
final class GpuContest {
  static final String HEADER =
      String.format(
          Locale.ROOT,
          "%-9s %-20s %5s %9s %17s %9s %7s %8s %9s %9s %7s %8s %8s  %s",
          "precision",
          "step",
          "seeds",
          "recorded",
          "lowest-highest",
          "per seed",
          "kernels",
          "eager",
          "differs",
          "from CPU",
          "GFLOP",
          "floor",
          "TFLOP/s",
          "peers");

  /** Steps before the recording, the recording itself and the first change of blocks of chance. */
  private static final int WARM_UP = 72;

  /** Whole blocks of chance, so that every round draws as often. */
  private static final int STEPS_ALONE = 128;

  private static final int STEPS_TOGETHER = 64;
  private static final int EAGER_STEPS = 64;
  private static final int EAGER_ROUNDS = 3;
  private static final int PEER_WARM_UP = 8;

  /** Of a peer that launches every kernel by itself, tens of times slower. */
  private static final int PUBLISHED_STEPS = 24;

  private static final int COMPARED_STEPS = 10;
  private static final double LARGEST_DIFFERENCE = 1e-5;

  private final TrainingSubject subject;
  private final Precision precision;
  private final int seeds;
  private final GpuPeers peers;
  private final Experience data;
  private final Experience onProcessor;
  private final Device device;
  private final List<StepTime> recorded = new ArrayList<>();
  private final List<StepTime> eager = new ArrayList<>();
  private final Map<String, List<StepTime>> theirs = new LinkedHashMap<>();
  private final Map<String, Double> lossDifferences = new LinkedHashMap<>();
  private final List<String> failures = new ArrayList<>();
  private String peerTorch = "";
  private String peerDevice = "";
  private TensorDifference difference;
  private TensorDifference fromProcessor;
  private long kernels;

  /**
   * @param peers null where only recorded steps are timed, without any comparison
   */
  GpuContest(
      TrainingSubject subject,
      Precision precision,
      int seeds,
      GpuPeers peers,
      Experience data,
      Experience onProcessor) {
    this.subject = subject;
    this.precision = precision;
    this.seeds = seeds;
    this.peers = peers;
    this.data = data;
    this.onProcessor = onProcessor;
    this.device = data.device();
  }

  List<String> failures() {
    return failures;
  }

  void run(int rounds, Progress progress) {
    attempt(() -> steps(rounds, progress));
  }

  private void steps(int rounds, Progress progress) {
    List<String> variants = new ArrayList<>();
    Optional<TrainingPeer> peer = attempt(() -> peer(variants)) ? asked() : Optional.empty();
    try (ControlTrainer trainer = subject.trainer(data, seeds);
        ControlTrainer reference = peers == null ? null : subject.trainer(data, seeds)) {
      if (!device.isCuda()) {
        // Nothing is recorded there, but the draws are then those of a recorded step.
        trainer.stepEagerly();
      }
      if (reference != null) {
        reference.stepEagerly();
        attempt(() -> compare(trainer, reference));
        attempt(this::compareWithProcessor);
      }
      while (trainer.stepsDone() < WARM_UP) {
        trainer.step();
      }
      kernels = trainer.recordedKernels();
      int steps = seeds == 1 ? STEPS_ALONE : STEPS_TOGETHER;
      try (Progress.Bar bar = progress.start(label(), rounds)) {
        for (int round = 0; round < rounds; round++) {
          recorded.add(StepTime.of(trainer::step, steps, device::synchronise));
          if (reference != null && round < EAGER_ROUNDS) {
            eager.add(StepTime.of(reference::step, EAGER_STEPS, device::synchronise));
          }
          for (String variant : List.copyOf(variants)) {
            if (!attempt(() -> peerRound(peer.orElseThrow(), variant))) {
              variants.remove(variant);
            }
          }
          bar.update(round + 1, "%.3f ms a step".formatted(recorded.get(round).wall()));
        }
      }
    }
  }

  private Optional<TrainingPeer> asked() {
    return peers == null ? Optional.empty() : peers.of(subject);
  }

  private void peerRound(TrainingPeer peer, String variant) {
    int steps = variant.equals(TrainingPeer.GRAPH) ? STEPS_ALONE : PUBLISHED_STEPS;
    StepTime time = peer.round(variant, precision, steps);
    theirs.computeIfAbsent(variant, any -> new ArrayList<>()).add(time);
  }

  /** Lets the peer, where there is one, take psm's first steps; finds the variants that can. */
  private void peer(List<String> variants) {
    Optional<TrainingPeer> peer = asked();
    if (peer.isEmpty()) {
      return;
    }
    List<Map<String, double[]>> watched;
    try (ControlTrainer trainer = subject.trainer(data, 1)) {
      watched = SyntheticData.firstSteps(trainer, GpuPeers.CHECK_STEPS, peers.firstSteps(subject));
    }
    // The published code knows nothing of bfloat16.
    List<String> wanted =
        precision == Precision.BFLOAT16
            ? List.of(TrainingPeer.GRAPH)
            : List.of(TrainingPeer.PUBLISHED, TrainingPeer.GRAPH);
    for (String variant : wanted) {
      attempt(
          () -> {
            JsonNode answer = peer.get().check(variant, precision);
            peerTorch = answer.path("torch").asText();
            peerDevice = answer.path("device").asText();
            peer.get().round(variant, precision, PEER_WARM_UP);
            variants.add(variant);
            lossDifferences.put(
                variant,
                FirstLosses.difference(
                    subject.id() + " (" + variant + ")",
                    watched,
                    answer.path("losses"),
                    tolerance(),
                    5 * tolerance()));
          });
    }
  }

  /** Of the first losses: products that are rounded differently stay apart by their rounding. */
  private double tolerance() {
    return switch (precision) {
      case FLOAT32 -> 1e-3;
      case TF32 -> 1e-2;
      case BFLOAT16 -> 5e-2;
    };
  }

  /** Whether a recording does what its operations do one by one. */
  private void compare(ControlTrainer trainer, ControlTrainer reference) {
    difference = DeviceChecks.afterSteps(trainer, reference, COMPARED_STEPS);
    if (!(difference.relative() <= LARGEST_DIFFERENCE)) {
      throw UserError.failed(
          null,
          "after %d steps a recorded step and an eager one differ by %.1e in %s, where %.0e is"
              + " allowed: its times are those of other work",
          COMPARED_STEPS,
          difference.relative(),
          difference.tensor(),
          LARGEST_DIFFERENCE);
    }
  }

  /** Whether the GPU finds the processor's gradients. */
  private void compareWithProcessor() {
    try (ControlTrainer there = subject.trainerAtRest(data, seeds);
        ControlTrainer here = subject.trainerAtRest(onProcessor, seeds)) {
      fromProcessor = DeviceChecks.gradients(there, here);
    }
    double allowed = DeviceChecks.gradientTolerance(precision);
    if (!(fromProcessor.relative() <= allowed)) {
      throw UserError.failed(
          null,
          "the first gradient of %s differs from the processor's by %.1e, where %.0e is allowed",
          fromProcessor.tensor(),
          fromProcessor.relative(),
          allowed);
    }
  }

  /** What fails is remembered as a sentence; the figures found so far stay. */
  private boolean attempt(Runnable work) {
    try {
      work.run();
      return true;
    } catch (RuntimeException e) {
      String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      failures.add(
          label()
              + ": "
              + (e instanceof UserError ? reason : e.getClass().getName() + ": " + reason));
      return false;
    }
  }

  private String label() {
    return "%s, %s, %s, %d %s"
        .formatted(
            GpuTrainingBench.id(precision),
            subject.size().id(),
            subject.id(),
            seeds,
            seeds == 1 ? "seed" : "seeds");
  }

  void describe(ObjectNode node, Consumer<String> say) {
    node.put("precision", GpuTrainingBench.id(precision)).put("size", subject.size().id());
    node.put("agent", subject.agent().id()).put("phase", subject.phase()).put("seeds", seeds);
    if (difference != null) {
      node.putObject("recordedAgainstEager")
          .put("steps", COMPARED_STEPS)
          .put("largestRelativeDifference", difference.relative())
          .put("tensor", difference.tensor())
          .put("allowed", LARGEST_DIFFERENCE);
    }
    if (fromProcessor != null) {
      node.putObject("gradientsAgainstProcessor")
          .put("largestRelativeDifference", fromProcessor.relative())
          .put("tensor", fromProcessor.tensor())
          .put("allowed", DeviceChecks.gradientTolerance(precision));
    }
    double flops = seeds * subject.flops();
    double floor = flops / GpuTrainingBench.Floor.rate(precision) / 1e9;
    node.put("gigaflops", flops / 1e9).put("floorMilliseconds", floor);
    node.put("floorTeraflopsPerSecond", GpuTrainingBench.Floor.rate(precision));
    StringBuilder peersText = new StringBuilder();
    double ours = Double.NaN;
    if (!recorded.isEmpty()) {
      ours =
          describe(node.putObject("recorded"), recorded)
              .put("kernels", kernels)
              .path("millisecondsPerStep")
              .asDouble();
      node.put("millisecondsPerStepAndSeed", ours / seeds);
      node.put("teraflopsPerSecond", flops / ours / 1e9).put("timesFloor", ours / floor);
    }
    if (!eager.isEmpty()) {
      describe(node.putObject("eager"), eager);
    }
    if (!peerTorch.isEmpty()) {
      ObjectNode peer = node.putObject("peer");
      peer.put("torch", peerTorch).put("device", peerDevice);
      peer.put("precision", GpuTrainingBench.id(precision));
      theirs.forEach(
          (variant, times) -> {
            ObjectNode one = describe(peer.putObject(variant), times);
            if (lossDifferences.containsKey(variant)) {
              one.put("largestDifferenceOfFirstLosses", lossDifferences.get(variant));
            }
            double ratio = StepTime.ratio(recorded.subList(0, times.size()), times).wall();
            one.put("ratio", ratio);
            peersText.append(
                String.format(
                    Locale.ROOT,
                    "%s %.3f (ratio %.2f)  ",
                    variant,
                    one.path("millisecondsPerStep").asDouble(),
                    ratio));
          });
    }
    failures.forEach(node.withArray("failures")::add);
    say.accept(
        String.format(
                Locale.ROOT,
                "%-9s %-20s %5d %9s %17s %9s %7s %8s %9s %9s %7.1f %8.3f %8s  %s",
                GpuTrainingBench.id(precision),
                subject.size().id() + " " + subject.id(),
                seeds,
                figure("%.3f", ours),
                recorded.isEmpty()
                    ? "-"
                    : figure("%.3f", lowest(recorded)) + "-" + figure("%.3f", highest(recorded)),
                figure("%.3f", ours / seeds),
                kernels == 0 ? "-" : Long.toString(kernels),
                figure("%.3f", eager.isEmpty() ? Double.NaN : StepTime.median(eager).wall()),
                difference == null ? "-" : figure("%.1e", difference.relative()),
                fromProcessor == null ? "-" : figure("%.1e", fromProcessor.relative()),
                flops / 1e9,
                floor,
                figure("%.0f", flops / ours / 1e9),
                peersText.toString().strip())
            .stripTrailing());
    failures.forEach(failure -> say.accept("failed: " + failure));
  }

  private static String figure(String format, double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
  }

  private static double lowest(List<StepTime> times) {
    return times.stream().mapToDouble(StepTime::wall).min().orElse(Double.NaN);
  }

  private static double highest(List<StepTime> times) {
    return times.stream().mapToDouble(StepTime::wall).max().orElse(Double.NaN);
  }

  private static ObjectNode describe(ObjectNode node, List<StepTime> times) {
    StepTime.median(times).describe(node);
    return node.put("lowestMilliseconds", lowest(times))
        .put("highestMilliseconds", highest(times))
        .put("rounds", times.size());
  }
}
