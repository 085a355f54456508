package dev.psm.studio.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.studio.ModelShelf;
import dev.psm.studio.SmallRuns;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The runs' view in a real browser. */
@Tag("slow")
final class RunsBrowserTest {
  private static StudioBrowser browser;
  private static Path folder;

  @BeforeAll
  static void open() throws IOException {
    folder = SmallRuns.emptyFolder("runs");
    Path runs = folder;
    SmallRuns.train(runs.resolve("room/psm"), SmallRuns.ROOM, "psm", 200);
    SmallRuns.train(runs.resolve("room/fb"), SmallRuns.ROOM, "fb", 200);
    browser = new StudioBrowser(new ModelShelf(), runs);
  }

  @AfterAll
  static void close() {
    browser.close();
  }

  private static void open(String... runs) {
    StringBuilder query = new StringBuilder("runs?");
    for (String run : runs) {
      String id = folder.resolve(run).toString();
      query.append("run=").append(URLEncoder.encode(id, StandardCharsets.UTF_8)).append('&');
    }
    browser.open(query.toString());
  }

  private static String chart(String metric) {
    return browser.find("[data-metric='" + metric + "'] svg").getAttribute("aria-label");
  }

  @Test
  void runsAreComparedWithHoverValuesAndLogScale() {
    open("room/psm", "room/fb");
    browser.find("[data-metric='error/goals']");
    browser.awaitTrue("document.querySelectorAll('.legend li').length === 2");
    String spoken = chart("error/goals");
    assertTrue(spoken.contains("psm ") && spoken.contains("fb "), spoken);
    browser.actions().moveToElement(browser.find("[data-metric='error/goals'] svg")).perform();
    String tip = browser.find("[data-metric='error/goals'] .tip").getText();
    assertTrue(tip.startsWith("step ") && tip.contains("psm: ") && tip.contains("fb: "), tip);
    browser.script("window.scrollTo(0, 0)");
    browser.screenshot("studio-runs");
    Object linear = path();
    browser.button("Logarithmic").click();
    assertTrue(!linear.equals(path()), "the curve is drawn anew");
    assertTrue(browser.find("main").getText().contains("What differs"));
    browser.assertSound();
  }

  private static Object path() {
    return browser.script(
        "return document.querySelector(\"[data-metric='loss'] .curve\").getAttribute('d')");
  }

  @Test
  void keysMoveThroughAChart() {
    open("room/psm");
    WebElement chart = browser.find("[data-metric='loss'] svg");
    browser.script("arguments[0].focus()", chart);
    chart.sendKeys(Keys.ARROW_RIGHT);
    assertTrue(browser.find("[data-metric='loss'] .tip").getText().startsWith("step "));
  }

  @Test
  void runInProgressGrows() throws IOException {
    Path run = folder.resolve("young");
    SmallRuns.train(run, SmallRuns.ROOM, "fb", 50);
    Files.delete(run.resolve("result.json"));
    open("young");
    browser.awaitTrue("document.querySelector('[data-metric=loss]')");
    Path log = run.resolve("seed-0/metrics.jsonl");
    for (int step = 51; step <= 53; step++) {
      Files.writeString(
          log,
          "{\"step\":%d,\"seconds\":9,\"loss\":3}\n".formatted(step),
          StandardOpenOption.APPEND);
      browser.awaitTrue(
          "/at step %d/.test(document.querySelector('[data-metric=loss] svg').ariaLabel)"
              .formatted(step));
    }
    browser.awaitTrue("/53 of 50, written/.test(document.querySelector('.run-list').innerText)");
    browser.assertSound();
  }

  @Test
  void milestonesAreNoNumbersOfTraining() throws IOException {
    Path run = folder.resolve("far");
    SmallRuns.train(run, SmallRuns.ROOM, "fb", 50);
    Files.writeString(
        run.resolve("seed-0/metrics.jsonl"),
        "{\"step\":50,\"seconds\":9,\"milestone/reach/in_its_room/reached\":0.5}\n",
        StandardOpenOption.APPEND);
    open("far");
    assertEquals("Milestones, shares of episodes", heading("milestone/reach/in_its_room/reached"));
    assertEquals("Training", heading("loss"));
    open("room/psm");
    browser.awaitTrue(
        "document.querySelector('[data-metric=loss]')"
            + " && !document.querySelector('main').innerText.includes('Milestones')");
    browser.assertSound();
  }

  private static String heading(String metric) {
    WebElement chart = browser.find("[data-metric='" + metric + "']");
    return (String)
        browser.script(
            "return arguments[0].parentElement.previousElementSibling.textContent", chart);
  }

  @Test
  void damageIsToldAndTheRestIsDrawn() throws IOException {
    Path run = folder.resolve("damaged");
    SmallRuns.train(run, SmallRuns.ROOM, "fb", 50);
    Files.writeString(
        run.resolve("seed-0/metrics.jsonl"),
        "rubbish\n{\"step\":60,\"los",
        StandardOpenOption.APPEND);
    Files.createDirectories(folder.resolve("broken"));
    Files.writeString(folder.resolve("broken/run.json"), "{");
    open("damaged");
    browser.awaitTrue(
        "/not valid JSON.*passed over/.test(document.querySelector('main').innerText)");
    assertTrue(chart("loss").contains("at step 50"), chart("loss"));
    assertTrue(browser.find(".run-list").getText().contains("run.json, line 1"));
    browser.assertSound();
  }

  @Test
  void darkPhoneIsSoundToo() {
    browser.size(390, 844);
    browser.dark(true);
    try {
      open("room/psm");
      browser.find("[data-metric=loss]");
      browser.assertSound();
      browser.screenshot("studio-runs-phone");
    } finally {
      browser.dark(false);
      browser.size(1280, 800);
    }
  }
}
