package dev.psm.view.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

final class HtmlReportTest {
  @TempDir Path directory;

  @Test
  void theReportIsWellFormedAndReachesForNothingOutside() throws Exception {
    Path file = directory.resolve("out/report.html");
    SampleReport.build().writeTo(file);
    String html = Files.readString(file);
    Document document = FigureTest.parse(html.replace("<!DOCTYPE html>", ""));
    assertEquals(4, document.getElementsByTagName("svg").getLength());
    assertEquals(0, document.getElementsByTagName("script").getLength());
    Matcher addresses = Pattern.compile("https?://[^\"]*").matcher(html);
    while (addresses.find()) {
      assertEquals("http://www.w3.org/2000/svg", addresses.group());
    }
    assertFalse(html.contains("url("), "an external resource in the style");
  }

  @Test
  void everyTextIsEscaped() throws Exception {
    String hostile = "</pre><img src=x onerror=alert(1)>\u0000";
    String html =
        HtmlReport.titled(hostile)
            .lead(hostile)
            .section(hostile)
            .section(hostile)
            .section(hostile)
            .paragraph(hostile)
            .table(Table.of(hostile, hostile).row(Table.text(hostile)))
            .figure(LineChart.of("t", "x", "y"), hostile)
            .details(hostile, hostile)
            .html();
    Document document = FigureTest.parse(html.replace("<!DOCTYPE html>", ""));
    assertEquals(0, document.getElementsByTagName("img").getLength());
    assertEquals(3, document.getElementsByTagName("li").getLength());
  }

  @Test
  void numbersAreAligned() {
    String row =
        Table.of("", "task", "a", "b")
            .row(Table.text("walk"), Table.spread(-2, 0.5, 1), Table.number(3, 1))
            .row(Table.text("run"), Table.spread(2, Double.NaN, 1), Table.number(Double.NaN, 0))
            .html();
    assertTrue(
        row.contains("<td>walk</td><td class=\"n\">−2.0 ± 0.5</td><td class=\"n\">3.0</td>"), row);
    assertTrue(row.contains("<td>run</td><td class=\"n\">2.0</td><td class=\"n\">–</td>"), row);
    assertThrows(IllegalArgumentException.class, () -> Table.of("", "a", "b").row(Table.text("x")));
  }
}
