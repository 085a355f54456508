package dev.psm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.reward.Task;
import org.junit.jupiter.api.Test;

class FilmTest {
  @Test
  void theCaptionSaysWhatIsPursued() {
    World walker = Worlds.named("walker");
    assertEquals("walk\nstep 3  reward 0.50", Film.caption(walker.task("walk"), "", 3, 0.5));
    assertEquals(
        "random actions: walk\nstep 3  reward 0.50",
        Film.caption(walker.task("walk"), "random actions", 3, 0.5));
    assertEquals(
        "upright * velocity_x\nstep 3  reward -1.25",
        Film.caption(walker.taskOrFormula(" upright *\n  velocity_x "), "", 3, -1.25));
    assertEquals(
        "goal: goal.csv\nstep 0",
        Film.caption(Task.unpaid("goal: goal.csv"), "", 0, 0),
        "nothing is paid on the way to a goal");
  }
}
