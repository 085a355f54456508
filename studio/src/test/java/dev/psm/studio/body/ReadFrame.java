package dev.psm.studio.body;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A frame as whoever is shown it reads it. */
record ReadFrame(int dropped, List<Lane> lanes) {
  record Lane(
      int prompt,
      int elapsed,
      int episode,
      boolean pushed,
      float[] focus,
      float[] values,
      float[] shapes,
      float[] ghost) {}

  static ReadFrame of(ByteBuffer buffer) {
    ByteBuffer in = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (in.getFloat() != 1) {
      throw new AssertionError("not a frame");
    }
    int dropped = (int) in.getFloat();
    int count = (int) in.getFloat();
    List<Lane> lanes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int prompt = (int) in.getFloat();
      int elapsed = (int) in.getFloat();
      int episode = (int) in.getFloat();
      in.getFloat();
      boolean pushed = in.getFloat() == 1;
      float[] focus = some(in, 3);
      float[] values = some(in, (int) in.getFloat());
      float[] shapes = some(in, 7 * (int) in.getFloat());
      float[] ghost = some(in, 7 * (int) in.getFloat());
      lanes.add(new Lane(prompt, elapsed, episode, pushed, focus, values, shapes, ghost));
    }
    if (in.hasRemaining()) {
      throw new AssertionError("a frame is longer than it says");
    }
    return new ReadFrame(dropped, lanes);
  }

  private static float[] some(ByteBuffer in, int count) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = in.getFloat();
    }
    return numbers;
  }

  Lane lane() {
    return lanes.get(0);
  }
}
