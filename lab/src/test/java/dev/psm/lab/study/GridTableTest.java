package dev.psm.lab.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.lab.run.Goals;
import dev.psm.lab.run.RunFolder;
import dev.psm.lab.run.TinyGrids;
import dev.psm.view.report.HtmlReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GridTableTest {
  @TempDir private Path folder;

  private GridTable table(int seeds) {
    List<GridResult> runs = new ArrayList<>();
    for (int seed = 0; seed < seeds; seed++) {
      Path place = folder.resolve("seed-" + seed);
      TinyGrids.train("psm", seed, place);
      runs.add(GridResult.read(new RunFolder(place).description(), place));
    }
    return new GridTable(runs);
  }

  @Test
  void oneSeedHasNoIntervalAndNoSpread() {
    GridTable one = table(1);
    String text = one.text();
    // Of the map's name and the paper's own figure there is none: TinyGrids' map is not the
    // paper's.
    assertFalse(text.contains("±"), text);
    assertFalse(text.lines().skip(1).anyMatch(line -> line.contains("[")), text);
    JsonNode found = one.json().path("rows").get(0).path("interquartileMean");
    assertTrue(found.has("mean") && !found.has("low") && !found.has("high"), found::toString);
    String page = HtmlReport.titled("").table(one.errors()).table(one.statistics()).html();
    assertFalse(page.contains("±") || page.contains(" to "), page);
  }

  @Test
  void severalSeedsHave() {
    GridTable two = table(2);
    assertTrue(two.text().contains("±") && two.text().contains("["), two.text());
    assertTrue(two.json().path("rows").get(0).path("interquartileMean").has("low"));
  }

  /** As the paper draws them. */
  @Test
  void tenGoalsAreDrawnByTheSeed() {
    TinyGrids.train("psm", 3, folder);
    GridResult result = GridResult.read(new RunFolder(folder).description(), folder);
    double[] sampled = result.sampledErrors();
    int[] goals = Goals.random(TinyGrids.WORLD, 10, 3);
    for (int i = 0; i < goals.length; i++) {
      assertEquals(result.grade().goalErrors()[goals[i]], sampled[i]);
    }
  }
}
