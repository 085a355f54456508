package dev.psm.view.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class SliceMapsTest {
  private static SliceMaps maps(List<String> slices, int columns, long... counts) {
    return new SliceMaps("t", "x", "y", -1, 1, 0, 2, slices, columns, counts);
  }

  private static double firstX(String svg) {
    var cell = Pattern.compile("<rect x=\"([0-9.]+)\"[^>]*fill=\"#").matcher(svg);
    assertTrue(cell.find(), svg);
    return Double.parseDouble(cell.group(1));
  }

  @Test
  void slicesStandSideBySideInTheirOrder() {
    List<String> slices = List.of("low", "middle", "high");
    double before = 0;
    for (int slice = 0; slice < 3; slice++) {
      long[] counts = new long[3 * 4];
      counts[4 * slice] = 7;
      double x = firstX(maps(slices, 2, counts).svg());
      assertTrue(x > before + 50, "slice " + slice);
      before = x;
    }
    String svg = maps(slices, 2, new long[12]).svg();
    assertTrue(svg.indexOf(">low<") < svg.indexOf(">middle<"));
    assertTrue(svg.indexOf(">middle<") < svg.indexOf(">high<"));
  }

  @Test
  void allSlicesShareOneScale() {
    String svg = maps(List.of("a", "b"), 1, 10, 1000).svg();
    assertTrue(svg.contains(">1,000<"));
    assertTrue(svg.contains(Palette.viridis(Math.log1p(10) / Math.log1p(1000))));
    assertEquals(1, svg.split(">1,000<", -1).length - 1);
  }

  @Test
  void hostileNamesStayText() {
    String hostile = "<script>alert('x')</script>";
    String svg =
        new SliceMaps(hostile, hostile, hostile, 0, 1, 0, 1, List.of(hostile), 1, new long[1])
            .svg();
    assertFalse(svg.contains("<script"), svg);
  }

  @Test
  void countsMustFillTheirSlices() {
    assertThrows(IllegalArgumentException.class, () -> maps(List.of("a", "b"), 1, 1, 2, 3));
    assertThrows(IllegalArgumentException.class, () -> maps(List.of(), 1, 1));
    assertThrows(IllegalArgumentException.class, () -> maps(List.of("a"), 0, 1));
  }
}
