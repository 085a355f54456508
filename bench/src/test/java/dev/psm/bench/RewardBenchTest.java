package dev.psm.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.reward.formula.Formula;
import org.junit.jupiter.api.Test;

class RewardBenchTest {
  @Test
  void theFormulaToBeTimedHasTwentyTerms() {
    World walker = Worlds.named("walker");
    Formula formula = Formula.parse(RewardBench.TERMS, walker.vocabulary());
    assertEquals(20, formula.quantities().size());
  }
}
