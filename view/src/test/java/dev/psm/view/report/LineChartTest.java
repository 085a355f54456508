package dev.psm.view.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

final class LineChartTest {
  private static final double[] STEPS = {100, 200, 300};
  private static final double[] RETURNS = {40, 60, 90};
  private static final double[] SPREADS = {50, 10, 10};

  private static LineChart chart() {
    return LineChart.of("walk", "gradient steps", "return");
  }

  private static List<String> texts(String svg) throws Exception {
    NodeList texts = FigureTest.parse(svg).getElementsByTagName("text");
    return IntStream.range(0, texts.getLength())
        .mapToObj(i -> texts.item(i).getTextContent())
        .toList();
  }

  private static List<Element> lines(String svg, String dashes) throws Exception {
    Document document = FigureTest.parse(svg);
    NodeList lines = document.getElementsByTagName("line");
    return IntStream.range(0, lines.getLength())
        .mapToObj(i -> (Element) lines.item(i))
        .filter(line -> line.getAttribute("stroke-dasharray").equals(dashes))
        .toList();
  }

  @Test
  void anAxisFromZeroHasNoRoomBelowThoughABandReachesThere() throws Exception {
    LineChart fromZero = chart().xFromZero().yFromZero().band("a", STEPS, RETURNS, SPREADS);
    List<String> texts = texts(fromZero.svg());
    assertTrue(texts.contains("0"), texts::toString);
    assertTrue(texts.stream().noneMatch(text -> text.startsWith("−")), texts::toString);
    assertTrue(texts(chart().band("a", STEPS, RETURNS, SPREADS).svg()).contains("−20"));
    double[] costs = {-40, -30, -20};
    List<String> below = texts(chart().yFromZero().band("a", STEPS, costs, SPREADS).svg());
    assertTrue(below.contains("0") && !below.contains("20"), below::toString);
  }

  @Test
  void aReferenceIsALineAcrossAtItsValueAndInTheLegend() throws Exception {
    String svg =
        chart()
            .yFromZero()
            .series("PSM", STEPS, RETURNS)
            .referenceOfLast("PSM in the paper", 200)
            .series("FB", STEPS, RETURNS)
            .reference("random actions", 100)
            .svg();
    assertTrue(texts(svg).containsAll(List.of("PSM in the paper", "random actions", "200")));
    // The first of each is in the legend.
    Element paper = lines(svg, "8 4").get(1);
    Element random = lines(svg, "2 4").get(1);
    assertEquals(paper.getAttribute("y1"), paper.getAttribute("y2"));
    assertEquals(Palette.series(0), paper.getAttribute("stroke"));
    assertEquals("currentColor", random.getAttribute("stroke"));
    double top = Double.parseDouble(paper.getAttribute("y1"));
    double middle = Double.parseDouble(random.getAttribute("y1"));
    assertEquals(135, middle - top, 0.1, "half of the way from 200 to 0");
  }

  /** Without a script, which a page does not run. */
  @Test
  void valuesAppearUnderThePointer() throws Exception {
    double[] later = {5000, 12_000};
    double[] alone = {7.125, 8};
    String svg =
        chart()
            .band("a", new double[] {100, 20_000}, new double[] {1234.5678, 2}, new double[] {3, 0})
            .series("b", later, alone)
            .svg();
    List<String> texts = texts(svg);
    assertTrue(texts.contains("gradient steps 20,000"), texts::toString);
    assertTrue(texts.contains("1,235 ± 3"), texts::toString);
    assertTrue(texts.contains("7.125"), texts::toString);
    assertFalse(texts.contains("2 ± 0"), "a single value has no spread");
    NodeList groups = FigureTest.parse(svg).getElementsByTagName("g");
    long hidden =
        IntStream.range(0, groups.getLength())
            .filter(i -> ((Element) groups.item(i)).getAttribute("visibility").equals("hidden"))
            .count();
    assertTrue(hidden > 0 && hidden == groups.getLength() / 2, "shown by nothing but the pointer");
    assertFalse(svg.contains("<script"));
  }

  @Test
  void aLongLogDoesNotMakeAHugePicture() throws Exception {
    double[] x = new double[20_000];
    Arrays.setAll(x, i -> i);
    String svg = chart().series("a", x, x).svg();
    int columns = FigureTest.parse(svg).getElementsByTagName("g").getLength() / 2;
    assertTrue(columns > 50 && columns < 200, columns + " columns");
    assertTrue(texts(svg).contains("gradient steps 19,999"), "the last value is one of them");
  }

  @Test
  void panelsStandSideBySide() throws Exception {
    LineChart panel = chart().series("a", STEPS, RETURNS).panel();
    String html = HtmlReport.titled("t").panels(List.of(panel, panel)).html();
    Document document = FigureTest.parse(html.replace("<!DOCTYPE html>", ""));
    assertEquals(2, document.getElementsByTagName("figure").getLength());
    assertTrue(html.contains("class=\"panels\"") && html.contains("display: grid"));
    assertTrue(panel.svg().contains("viewBox=\"0 0 460 "), panel.svg());
  }
}
