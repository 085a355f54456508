package dev.psm.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.reward.formula.Formula;
import dev.psm.lab.Progress;
import dev.psm.mujoco.suite.DomainFacts;
import org.junit.jupiter.api.Test;

class FormulaFuzzTest {
  private static final long MEGABYTE = 1 << 20;

  @Test
  void everyTextIsReadOrRefusedInWords() {
    FormulaFuzz.Result result = FormulaFuzz.run(200_000, 7, Progress.SILENT);
    assertEquals(200_000, result.inputs());
    // Both ways out are well trodden, or the texts would show little.
    assertTrue(result.accepted() > 10_000, "accepted " + result.accepted());
    assertTrue(result.accepted() < 150_000, "accepted " + result.accepted());
    assertTrue(result.mostBytes() < 64 * MEGABYTE, result.mostBytes() + " bytes for one");
  }

  @Test
  void theFormulaToBeTimedHasTwentyTerms() {
    DomainFacts walker = DomainFacts.named("walker");
    Formula formula = Formula.parse(RewardBench.TERMS, walker.vocabulary());
    assertEquals(20, formula.quantities().size());
  }
}
