package dev.psm.agents.affine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.agents.SmallWorlds;
import dev.psm.core.settings.Settings;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.List;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoordinatesTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void everyCodeLiesOnOneSphereAndEnrichedCodesOwnTheirDimension(int enriched) {
    Coordinates coordinates =
        new Coordinates(
            Settings.override(
                    AffinePsmSettings.tabular(),
                    List.of("basisDimension=5", "enrichedCodes=" + enriched, "coordinateWidth=16"))
                .shape(0),
            new Random(1));
    int length = 5 + enriched;
    assertEquals(length, coordinates.length());
    Parameters parameters = coordinates.parameters();
    // Biases start at zero, and with them the network's answer for the code whose bits are all 0.
    SmallWorlds.randomise(parameters, 2);
    Tensor w = coordinates.ofCodes(parameters, new int[] {0, 1, 77, 65_535});
    assertEquals(length, w.size(1));
    for (float norm : Tensors.toFloats(Tensors.norms(w))) {
      assertEquals(Math.sqrt(length), norm, 1e-5);
    }
    float[] values = Tensors.toFloats(w);
    for (int i = 0; i < values.length; i++) {
      if (i % length >= 5) {
        assertEquals(0, values[i]);
      }
    }
    if (enriched > 0) {
      float[] own = Tensors.toFloats(coordinates.ofEnriched());
      for (int i = 0; i < own.length; i++) {
        double expected = i % length == 5 + i / length ? Math.sqrt(length) : 0;
        assertEquals(expected, own[i], 1e-5);
      }
    }
  }
}
