package dev.psm.zeroshot;

import dev.psm.core.env.Environment;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import java.util.List;

/** A world of a user's: a place on a line and a speed, no tasks, and nothing that can be opened. */
public final class Line implements World {
  static final int OBSERVATION = 2;

  @Override
  public String name() {
    return "line";
  }

  @Override
  public String title() {
    return "a line";
  }

  @Override
  public int observationSize() {
    return OBSERVATION;
  }

  @Override
  public Space actionSpace() {
    return Space.Box.uniform(-1, 1, 1);
  }

  @Override
  public int episodeSteps() {
    return 10;
  }

  @Override
  public List<Quantity> quantities() {
    return List.of(new Quantity("x", "m", "the place"), new Quantity("speed", "m/s", "the speed"));
  }

  @Override
  public Environment open() {
    throw new UnsupportedOperationException("nobody plays here");
  }
}
