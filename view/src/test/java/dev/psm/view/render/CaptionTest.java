package dev.psm.view.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class CaptionTest {
  private static final int WHITE = 0xffffff;

  @Test
  void longLinesAreWrappedAtBlanks() {
    assertEquals(
        List.of("upright *", "clip(x)", "step 3"), Caption.wrap("upright * clip(x)\nstep 3", 9));
    assertEquals(List.of("abcde", "fg"), Caption.wrap("abcdefg", 5), "a word has no blanks");
  }

  /** What is said of the moment is short and stays; a formula may be of any length. */
  @Test
  void aTextThatIsTooLongIsCutAndTheLastLineStays() {
    List<String> lines = Caption.wrap("x + ".repeat(100) + "y\nstep 3  reward 0.50", 20);
    assertEquals(5, lines.size());
    assertTrue(lines.get(3).endsWith("..."), lines::toString);
    assertEquals("step 3  reward 0.50", lines.get(4));
    assertTrue(lines.stream().allMatch(line -> line.length() <= 20), lines::toString);
  }

  @Test
  void theWholeCaptionIsWithinThePicture() {
    for (int width : new int[] {96, 320, 480, 1280}) {
      Image image = new Image(width, 200);
      for (int i = 0; i < width * 200; i++) {
        image.set(i % width, i / width, WHITE);
      }
      image.caption("velocity_x * upright + ".repeat(8) + "1\nstep 12");
      for (int y = 0; y < 200; y++) {
        assertEquals(WHITE, image.get(0, y), "left edge, width " + width);
        assertEquals(WHITE, image.get(width - 1, y), "right edge, width " + width);
      }
      assertTrue(rowsWithInk(image) > 2 * Glyphs.HEIGHT, "width " + width);
    }
  }

  private static int rowsWithInk(Image image) {
    int rows = 0;
    for (int y = 0; y < image.height(); y++) {
      for (int x = 0; x < image.width(); x++) {
        if (image.get(x, y) != WHITE) {
          rows++;
          break;
        }
      }
    }
    return rows;
  }
}
