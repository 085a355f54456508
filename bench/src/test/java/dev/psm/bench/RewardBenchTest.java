package dev.psm.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.reward.formula.Formula;
import dev.psm.mujoco.suite.DomainFacts;
import org.junit.jupiter.api.Test;

class RewardBenchTest {
  @Test
  void theFormulaToBeTimedHasTwentyTerms() {
    DomainFacts walker = DomainFacts.named("walker");
    Formula formula = Formula.parse(RewardBench.TERMS, walker.vocabulary());
    assertEquals(20, formula.quantities().size());
  }
}
