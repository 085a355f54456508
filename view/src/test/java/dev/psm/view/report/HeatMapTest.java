package dev.psm.view.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

final class HeatMapTest {
  private static final double SIDE = 360;

  private static HeatMap map(int columns, long... counts) {
    return new HeatMap("t", "x", "y", -1, 1, 0, 2, columns, counts);
  }

  private static Document parse(HeatMap map) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(map.svg())));
  }

  /** The cells: what is drawn before the frame around them. */
  private static List<Element> cells(HeatMap map) throws Exception {
    NodeList rectangles = parse(map).getElementsByTagName("rect");
    List<Element> cells = new ArrayList<>();
    for (int i = 0; i < rectangles.getLength(); i++) {
      Element rectangle = (Element) rectangles.item(i);
      if (rectangle.getAttribute("fill").equals("none")) {
        break;
      }
      cells.add(rectangle);
    }
    return cells;
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  @Test
  void theFirstCountIsAtTheBottomLeft() throws Exception {
    Element frame = (Element) parse(map(2, 0, 0)).getElementsByTagName("rect").item(0);
    double left = number(frame, "x");
    double top = number(frame, "y");
    // Three columns, two rows: each cell alone.
    for (int cell = 0; cell < 6; cell++) {
      long[] counts = new long[6];
      counts[cell] = 5;
      List<Element> drawn = cells(map(3, counts));
      assertEquals(1, drawn.size());
      assertEquals(left + cell % 3 * SIDE / 3, number(drawn.get(0), "x"), 0.01);
      assertEquals(top + (cell < 3 ? SIDE / 2 : 0), number(drawn.get(0), "y"), 0.01);
      assertEquals(SIDE / 3, number(drawn.get(0), "width"), 0.5);
      assertEquals(SIDE / 2, number(drawn.get(0), "height"), 0.5);
    }
  }

  @Test
  void cellsNeverMetStayEmpty() throws Exception {
    assertEquals(0, cells(map(2, 0, 0, 0, 0)).size());
    assertEquals(2, cells(map(2, 1, 0, 0, 1_000_000_000_000L)).size());
  }

  @Test
  void coloursGrowWithTheLogarithm() throws Exception {
    List<Element> drawn = cells(map(4, 1, 100, 10_000, 10_000));
    assertEquals(Palette.viridis(1), drawn.get(2).getAttribute("fill"));
    assertEquals(drawn.get(2).getAttribute("fill"), drawn.get(3).getAttribute("fill"));
    assertEquals(
        Palette.viridis(Math.log1p(100) / Math.log1p(10_000)), drawn.get(1).getAttribute("fill"));
    assertNotEquals(drawn.get(0).getAttribute("fill"), drawn.get(1).getAttribute("fill"));
  }

  @Test
  void rangesAndTheLargestCountAreWritten() {
    String svg = map(2, 1, 12_345).svg();
    for (String text : List.of(">−1<", ">1<", ">0<", ">2<", ">12,345<", ">x<", ">y<")) {
      assertTrue(svg.contains(text), text);
    }
  }

  @Test
  void hostileNamesStayText() throws Exception {
    String hostile = "<script>alert('x')</script> & \"y\" \u0000\uD800";
    Document document = parse(new HeatMap(hostile, hostile, hostile, 0, 1, 0, 1, 1, new long[1]));
    assertEquals(0, document.getElementsByTagName("script").getLength());
    assertTrue(document.getElementsByTagName("title").item(0).getTextContent().contains("alert"));
  }

  @Test
  void countsMustFillTheirRows() {
    assertThrows(IllegalArgumentException.class, () -> map(2, 1, 2, 3));
    assertThrows(IllegalArgumentException.class, () -> map(0, 1));
  }

  @Test
  void laterChangesOfTheCountsDoNotShow() {
    long[] counts = {1, 0};
    HeatMap map = map(2, counts);
    String before = map.svg();
    counts[1] = 7;
    assertEquals(before, map.svg());
  }
}
