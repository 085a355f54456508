package dev.psm.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.agents.rnd.NStepReplay;
import dev.psm.core.env.Environment;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EpisodeBufferTest {
  private static final World MAZE = Worlds.named("maze");

  private static Environment.Step step(int number, boolean terminated) {
    return new Environment.Step(new float[] {number, 0, 0, 0}, terminated, false);
  }

  /** State t, the action 100 + t taken in it, and the reward 10 (t + 1) of where that led. */
  private static void play(EpisodeBuffer buffer, int steps, boolean terminates) {
    buffer.begin(new float[4]);
    for (int t = 0; t < steps; t++) {
      buffer.add(new float[] {100 + t, 0}, step(t + 1, terminates && t == steps - 1), 10 * (t + 1));
    }
  }

  @Test
  void anActionGoesWithItsStateAndTheRewardItLedTo() {
    EpisodeBuffer buffer = new EpisodeBuffer(MAZE);
    NStepReplay replay = new NStepReplay(4, 2, 5000, 1, 0.5);
    play(buffer, 900, false);
    play(buffer, 7, true);
    buffer.appendTo(replay, 1);
    assertEquals(7, replay.size(), "of an unfinished episode before it nothing is left");
    NStepReplay.Batch batch = replay.sample(200, new Random(1));
    for (int row = 0; row < 200; row++) {
      float t = batch.observations()[4 * row];
      assertEquals(100 + t, batch.actions()[2 * row]);
      assertEquals(t + 1, batch.nextObservations()[4 * row]);
      assertEquals(10 * (t + 1), batch.rewards()[row]);
      assertEquals(t == 6 ? 0 : 0.5, batch.discounts()[row]);
    }
  }

  @Test
  void anEpisodeTooShortForNStepsIsLeftOut() {
    EpisodeBuffer buffer = new EpisodeBuffer(MAZE);
    NStepReplay replay = new NStepReplay(4, 2, 5000, 3, 0.5);
    play(buffer, 2, false);
    buffer.appendTo(replay, 3);
    assertEquals(0, replay.size());
    play(buffer, 3, false);
    buffer.appendTo(replay, 3);
    assertEquals(3, replay.size());
  }
}
