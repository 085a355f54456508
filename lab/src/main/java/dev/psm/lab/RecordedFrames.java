package dev.psm.lab;

import dev.psm.core.io.JsonField;
import dev.psm.mujoco.suite.Domain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The frames that a trajectory was recorded with, to be held against its replay: how far another
 * engine strays from them, and how fast.
 */
final class RecordedFrames {
  private final Map<Integer, JsonField> frames = new HashMap<>();
  private final List<Replay.Deviation> deviations = new ArrayList<>();
  private int last;

  /** Those of a file, which need not have any. */
  RecordedFrames(JsonField file) {
    if (file.has("frames")) {
      for (JsonField frame : file.get("frames").elements()) {
        int step = frame.get("step").integer(0, Integer.MAX_VALUE);
        frames.put(step, frame);
        last = Math.max(last, step);
      }
    }
  }

  /** Compares the domain after a step with the frame of that step, if there is one. */
  void compare(int step, Domain domain) {
    JsonField frame = frames.get(step);
    if (frame == null) {
      return;
    }
    double[] observation = new double[domain.world().observationSize()];
    domain.observe(observation);
    Replay.Deviation before =
        deviations.isEmpty()
            ? new Replay.Deviation(0, 0, 0, 0)
            : deviations.get(deviations.size() - 1);
    Replay.Deviation now =
        new Replay.Deviation(
            step,
            largest(before.positions(), frame.get("qpos"), domain.simulation().qpos().toArray()),
            largest(before.velocities(), frame.get("qvel"), domain.simulation().qvel().toArray()),
            largest(before.observation(), frame.get("observation"), observation));
    deviations.add(now);
  }

  private static double largest(double least, JsonField recorded, double[] found) {
    double[] expected = recorded.numbers(found.length);
    double largest = least;
    for (int i = 0; i < found.length; i++) {
      largest = Math.max(largest, Math.abs(expected[i] - found[i]));
    }
    return largest;
  }

  /** After 1, 10, 100 and so on steps, as far as there are frames, and after the last one. */
  List<Replay.Deviation> deviations() {
    return deviations.stream()
        .filter(deviation -> isPowerOfTen(deviation.step()) || deviation.step() == last)
        .toList();
  }

  private static boolean isPowerOfTen(int step) {
    return Integer.toString(step).matches("10*");
  }
}
