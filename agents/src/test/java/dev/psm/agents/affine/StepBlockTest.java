package dev.psm.agents.affine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.psm.agents.SmallWorlds;
import dev.psm.core.settings.Settings;
import dev.psm.torch.Device;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a GPU would record, computed one operation after the other on the CPU. */
class StepBlockTest {
  private static AffinePsm trainer(String expectation, String representation, int enriched) {
    return trainer(expectation, representation, enriched, Device.CPU);
  }

  static AffinePsm trainer(String expectation, String representation, int enriched, Device device) {
    return new AffinePsm(
        Settings.override(
            AffinePsmSettings.tabular(),
            List.of(
                "basisDimension=4",
                "codesPerStep=4",
                "coordinateWidth=16",
                "basisWidth=8",
                "solveCodes=16",
                "expectation=" + expectation,
                "representation=" + representation,
                "enrichedCodes=" + enriched,
                "enrichmentStart=0.3",
                "enrichmentRounds=2",
                "targetRate=0.5",
                // Two blocks and a part of the third; rounds begin within blocks.
                "gradientSteps=" + (2 * StepBlock.STEPS + 7))),
        SmallWorlds.stochastic(0.9),
        11,
        device);
  }

  @ParameterizedTest
  @CsvSource({"exact,tables,3", "mesh,tables,0", "exact,networks,2", "mesh,networks,0"})
  void stepsInBlocksAreThoseOneByOneToTheBit(
      String expectation, String representation, int enriched) {
    AffinePsm plain = trainer(expectation, representation, enriched);
    try (AffinePsm blocks = trainer(expectation, representation, enriched)) {
      blocks.stepEagerly();
      assertSameTraining(plain, blocks);
    }
  }

  static void assertSameTraining(AffinePsm expected, AffinePsm found) {
    while (expected.stepsDone() < expected.settings().gradientSteps()) {
      expected.step();
      found.step();
    }
    assertEquals(expected.stepsDone(), found.stepsDone());
    assertEquals(expected.model().tensors(), found.model().tensors());
    assertEquals(expected.metrics(), found.metrics());
  }

  @Test
  void blocksCannotBeginWithinATraining() {
    AffinePsm trainer = trainer("exact", "tables", 0);
    trainer.step();
    assertThrows(IllegalStateException.class, trainer::stepEagerly);
  }
}
