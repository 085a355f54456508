package dev.psm.view.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class ToyFigureTest {
  @Test
  void theFigureIsWellFormedAndHasTheComputedTriangle() throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(ToyFigure.svg().getBytes(StandardCharsets.UTF_8)));
    String points =
        document
            .getElementsByTagName("polygon")
            .item(0)
            .getAttributes()
            .getNamedItem("points")
            .getNodeValue();
    assertEquals("455.0,318.0 455.0,111.0 685.0,318.0", points);
    assertTrue(ToyFigure.svg().contains("optimum (1, 0)"));
  }

  @Test
  void numbersDoNotFollowTheLocale() {
    String expected = ToyFigure.svg();
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertEquals(expected, ToyFigure.svg());
    } finally {
      Locale.setDefault(before);
    }
  }
}
