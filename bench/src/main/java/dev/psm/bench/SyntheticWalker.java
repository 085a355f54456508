package dev.psm.bench;

import dev.psm.core.data.Columns;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.Episode;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import java.util.Arrays;
import java.util.Map;

/** Episodes of the walker's size, but of noise: what they cost to read is the same. */
final class SyntheticWalker {
  static final World WORLD = Worlds.named("walker");
  static final Columns COLUMNS =
      new Columns(WORLD.observationSize(), WORLD.actionSize(), WORLD.stateSize());
  static final int STEPS = WORLD.episodeSteps();

  /** Bytes of a state in a file. */
  static final int ROW_BYTES =
      Float.BYTES * (COLUMNS.observation() + COLUMNS.action() + 1)
          + Double.BYTES * COLUMNS.physics();

  private long noise = 1;

  static DatasetDescription description() {
    return new DatasetDescription(WORLD.name(), "none", "noise", Json.object(), 1, COLUMNS);
  }

  /** The next episode of so many transitions. */
  Episode next(int transitions) {
    int rows = transitions + 1;
    float[] actions = floats(rows * COLUMNS.action());
    Arrays.fill(actions, 0, COLUMNS.action(), 0);
    float[] discounts = new float[rows];
    Arrays.fill(discounts, 1);
    double[] physics = new double[rows * COLUMNS.physics()];
    for (int i = 0; i < physics.length; i++) {
      physics[i] = draw();
    }
    return new Episode(floats(rows * COLUMNS.observation()), actions, discounts, physics, Map.of());
  }

  private float[] floats(int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = draw();
    }
    return values;
  }

  private float draw() {
    noise = noise * 6364136223846793005L + 1442695040888963407L;
    return (noise >>> 40) * 0x1p-23f - 1f;
  }
}
