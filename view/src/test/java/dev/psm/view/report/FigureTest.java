package dev.psm.view.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

final class FigureTest {
  private static final String HOSTILE = "<script>alert('x')</script> & \"y\" \u0000\u0007\uD800";

  @Test
  void hostileNamesStayText() throws Exception {
    double[] one = {1};
    List<Figure> figures =
        List.of(
            LineChart.of(HOSTILE, HOSTILE, HOSTILE).series(HOSTILE, one, one).reference(HOSTILE, 1),
            BarChart.of(HOSTILE, HOSTILE, HOSTILE).bars(HOSTILE, one),
            GridFigure.of(HOSTILE)
                .arrowNames(HOSTILE, HOSTILE)
                .row(
                    HOSTILE,
                    List.of(
                        GridPanel.of(HOSTILE, new double[][] {{1}})
                            .policy(new int[][] {{0}}, new boolean[][] {{true}}))));
    for (Figure figure : figures) {
      Document document = parse(figure.svg());
      assertEquals(0, document.getElementsByTagName("script").getLength());
      assertTrue(document.getElementsByTagName("title").item(0).getTextContent().contains("alert"));
    }
  }

  @Test
  void seriesWithNothingToShowDoNotBreak() throws Exception {
    double nan = Double.NaN;
    double infinity = Double.POSITIVE_INFINITY;
    double[][] samples = {
      {},
      {nan, nan, nan},
      {0, 0, 0},
      {7, 7, 7},
      {-1, -2, -3},
      {infinity, -infinity, nan},
      {Double.MAX_VALUE, -Double.MAX_VALUE, 0},
      {Double.MIN_VALUE, 0, Double.MIN_VALUE},
      {1e16, 1e16 + 2, 1e16},
    };
    for (double[] values : samples) {
      double[] x = values.clone();
      String lines =
          LineChart.of("t", "x", "y").xFromZero().yFromZero().band("a", x, values, values).svg();
      BarChart bars =
          BarChart.of(
              "t", "y", List.of("a", "b", "c").subList(0, values.length).toArray(new String[0]));
      bars.bars("s", values);
      for (String svg : List.of(lines, bars.svg())) {
        parse(svg);
        assertFalse(svg.contains("NaN") || svg.contains("Infinity"), svg);
      }
    }
    parse(LineChart.of("", "", "").svg());
    parse(BarChart.of("", "").svg());
    parse(GridFigure.of("").svg());
    double[][] wall = {{nan, nan}};
    String svg = GridFigure.of("t").row("", List.of(GridPanel.of("", wall))).svg();
    parse(svg);
    assertFalse(svg.contains("NaN"), svg);
  }

  @Test
  void aGapSplitsTheLineAndALoneValueIsADot() throws Exception {
    double[] x = {0, 1, 2, 3, 4};
    double[] y = {1, 2, Double.NaN, 3, Double.NaN};
    Document document = parse(LineChart.of("t", "x", "y").series("a", x, y).svg());
    String line = path(document, 0);
    assertEquals(1, line.chars().filter(c -> c == 'M').count(), line);
    String dot = path(document, 1);
    assertEquals(1, dot.chars().filter(c -> c == 'M').count(), dot);
    assertTrue(dot.endsWith("h0"), dot);
  }

  private static String path(Document document, int index) {
    return document
        .getElementsByTagName("path")
        .item(index)
        .getAttributes()
        .getNamedItem("d")
        .getNodeValue();
  }

  @Test
  void roundingIsNotMagnified() {
    double[] x = {0, 1};
    for (double[] y : new double[][] {{2.8284271, 2.8284273}, {5e-47, 7e-47}}) {
      String svg = LineChart.of("t", "x", "y").series("a", x, y).svg();
      assertFalse(svg.contains("e-4") || svg.contains("2.82842"), svg);
    }
  }

  @Test
  void arrowsPointWhereTheActionGoes() throws Exception {
    double[][] values = {{0, 0.5, 1, 0.2}};
    int[][] actions = {{GridPanel.UP, GridPanel.RIGHT, GridPanel.DOWN, GridPanel.LEFT}};
    String svg =
        GridFigure.of("t").row("", List.of(GridPanel.of("p", values).policy(actions, null))).svg();
    NodeList paths = parse(svg).getElementsByTagName("path");
    NodeList cells = parse(svg).getElementsByTagName("rect");
    int[][] directions = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    for (int i = 0; i < 4; i++) {
      double size = attribute(cells, i, "width");
      double middleX = attribute(cells, i, "x") + size / 2;
      double middleY = attribute(cells, i, "y") + size / 2;
      String tip = paths.item(i).getAttributes().getNamedItem("d").getNodeValue();
      List<String> point = List.of(tip.substring(1, tip.indexOf('L')).split(" ", -1));
      assertEquals(0.36 * size * directions[i][0], Double.parseDouble(point.get(0)) - middleX, 0.1);
      assertEquals(0.36 * size * directions[i][1], Double.parseDouble(point.get(1)) - middleY, 0.1);
    }
  }

  @Test
  void wrongArrowsHaveALegendAndAnotherColour() {
    double[][] values = {{0, 1}};
    int[][] actions = {{GridPanel.RIGHT, GridPanel.STAY}};
    GridPanel right = GridPanel.of("p", values).policy(actions, null);
    GridPanel wrong = GridPanel.of("p", values).policy(actions, new boolean[][] {{true, false}});
    assertFalse(GridFigure.of("t").row("", List.of(right)).svg().contains("not optimal"));
    assertTrue(GridFigure.of("t").row("", List.of(wrong)).svg().contains("not optimal"));
  }

  @Test
  void misfittingArraysAreRefused() {
    GridPanel panel = GridPanel.of("p", new double[2][3]);
    assertThrows(IllegalArgumentException.class, () -> panel.goal(2, 0));
    assertThrows(IllegalArgumentException.class, () -> panel.policy(new int[3][2], null));
    assertThrows(
        IllegalArgumentException.class, () -> panel.policy(new int[][] {{5, 0, 0}, {}}, null));
    assertThrows(
        IllegalArgumentException.class, () -> GridPanel.of("p", new double[][] {{1}, {1, 2}}));
    LineChart chart = LineChart.of("t", "x", "y");
    assertThrows(
        IllegalArgumentException.class, () -> chart.series("a", new double[1], new double[2]));
    BarChart bars = BarChart.of("t", "y", "a", "b");
    assertThrows(IllegalArgumentException.class, () -> bars.bars("s", new double[3]));
  }

  @Test
  void viridisRunsFromPurpleToYellow() {
    assertEquals("#440154", Palette.viridis(-1));
    assertEquals("#21918c", Palette.viridis(0.5));
    assertEquals("#fde725", Palette.viridis(2));
  }

  static Document parse(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }

  private static double attribute(NodeList nodes, int index, String name) {
    return Double.parseDouble(nodes.item(index).getAttributes().getNamedItem(name).getNodeValue());
  }
}
