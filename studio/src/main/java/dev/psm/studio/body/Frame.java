package dev.psm.studio.body;

import dev.psm.core.scene.Placed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Where everything is after a step, as little-endian single-precision numbers:
 *
 * <pre>
 *   1, frames dropped so far, lanes, then for each lane
 *     prompt id, step of the episode, episode, total of the first track, 1 if something was pushed
 *     focus x y z
 *     tracks, a value for each
 *     shapes, for each: position x y z, quaternion x y z w
 *     ghost's shapes, for each the same
 * </pre>
 */
final class Frame {
  private static final float KIND = 1;
  private static final int PLACE = 7;
  private static final double[] ORIGIN = new double[3];

  private Frame() {}

  static ByteBuffer of(List<Lane> lanes, int dropped) {
    List<Content> contents = lanes.stream().map(Content::of).toList();
    int numbers = 3 + contents.stream().mapToInt(Content::numbers).sum();
    ByteBuffer buffer = ByteBuffer.allocate(numbers * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    put(buffer, KIND, dropped, lanes.size());
    contents.forEach(content -> content.write(buffer));
    return buffer.flip();
  }

  /** What is written of a lane, read at one moment. */
  private record Content(Lane lane, List<Placed> shapes, List<Placed> ghost) {
    static Content of(Lane lane) {
      return new Content(
          lane, lane.scenery().map(each -> each.shapes()).orElse(List.of()), lane.ghost());
    }

    int numbers() {
      return 11 + lane.values().length + PLACE * (shapes.size() + ghost.size());
    }

    void write(ByteBuffer buffer) {
      put(buffer, lane.promptId(), lane.elapsed(), lane.episodes(), lane.total());
      put(buffer, lane.isPushed() ? 1 : 0);
      put(buffer, lane.scenery().map(each -> each.focus()).orElse(ORIGIN));
      put(buffer, lane.values().length);
      put(buffer, lane.values());
      placed(buffer, shapes);
      placed(buffer, ghost);
    }
  }

  private static void put(ByteBuffer buffer, double... numbers) {
    for (double number : numbers) {
      buffer.putFloat((float) number);
    }
  }

  private static void placed(ByteBuffer buffer, List<Placed> shapes) {
    put(buffer, shapes.size());
    for (Placed each : shapes) {
      put(buffer, each.position());
      put(buffer, quaternion(each.rotation()));
    }
  }

  /** Of a row-major rotation: x, y, z, w. The largest component is found first, for precision. */
  static double[] quaternion(double[] r) {
    double trace = r[0] + r[4] + r[8];
    if (trace > 0) {
      double s = 2 * Math.sqrt(1 + trace);
      return new double[] {(r[7] - r[5]) / s, (r[2] - r[6]) / s, (r[3] - r[1]) / s, s / 4};
    }
    if (r[0] > r[4] && r[0] > r[8]) {
      double s = 2 * Math.sqrt(Math.max(0, 1 + r[0] - r[4] - r[8]));
      return new double[] {s / 4, (r[1] + r[3]) / s, (r[2] + r[6]) / s, (r[7] - r[5]) / s};
    }
    if (r[4] > r[8]) {
      double s = 2 * Math.sqrt(Math.max(0, 1 + r[4] - r[0] - r[8]));
      return new double[] {(r[1] + r[3]) / s, s / 4, (r[5] + r[7]) / s, (r[2] - r[6]) / s};
    }
    double s = 2 * Math.sqrt(Math.max(0, 1 + r[8] - r[0] - r[4]));
    return new double[] {(r[2] + r[6]) / s, (r[5] + r[7]) / s, s / 4, (r[3] - r[1]) / s};
  }
}
