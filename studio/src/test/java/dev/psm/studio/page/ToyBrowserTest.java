package dev.psm.studio.page;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.studio.ModelShelf;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The theory's view in a real browser. */
@Tag("slow")
final class ToyBrowserTest {
  private static StudioBrowser browser;

  @BeforeAll
  static void start() {
    browser = new StudioBrowser(new ModelShelf());
  }

  @AfterAll
  static void close() {
    browser.close();
  }

  @BeforeEach
  void open() {
    browser.open("toy");
    browser.awaitTrue("document.querySelector('main').dataset.solved");
  }

  private static void awaitText(String words) {
    browser.awaitTrue("document.querySelector('main').innerText.includes('" + words + "')");
  }

  @Test
  void paperAnswersWithItsOwnCorner() {
    awaitText("d* = φ₁ · 1.000 + φ₂ · 0.000 + b");
    browser.button("Be in s₁").click();
    awaitText("Best: in s₀ swap, in s₁ stay.");
    browser.script("window.scrollTo(0, 0)");
    browser.screenshot("studio-theory");
    browser.assertSound();
  }

  @Test
  void draggedRewardTakesTheOptimumAlong() {
    WebElement handle = browser.find(".handle");
    WebElement other = browser.find("#plane-title");
    browser.actions().clickAndHold(handle).moveToElement(other).release().perform();
    awaitText("in s₁ stay");
    handle.sendKeys(Keys.ARROW_RIGHT);
    assertTrue(Integer.parseInt(handle.getAttribute("aria-valuenow")) > 0);
    for (int turn = 0; turn < 30; turn++) {
      handle.sendKeys(Keys.ARROW_RIGHT);
    }
    awaitText("Best: in s₀ stay");
  }

  @Test
  void startMovesThePolygonAndTheSimplexTurns() {
    Object before = polygon(0);
    browser.script(
        "const slider = document.querySelector(\"[aria-label^='Start']\"); slider.value = 0.5;"
            + " slider.dispatchEvent(new Event('input'))");
    browser.awaitTrue("document.querySelectorAll('.feasible')[0].points.length === 4");
    assertNotEquals(before, polygon(0));
    Object slice = polygon(1);
    WebElement simplex = browser.find(".turning");
    browser.script("arguments[0].focus()", simplex);
    simplex.sendKeys(Keys.ARROW_LEFT);
    assertNotEquals(slice, polygon(1));
  }

  private static Object polygon(int index) {
    return browser.script(
        "return document.querySelectorAll('.feasible')[arguments[0]].getAttribute('points')",
        index);
  }

  @Test
  void darkPhoneIsSoundToo() {
    browser.size(390, 844);
    browser.dark(true);
    try {
      open();
      browser.assertSound();
    } finally {
      browser.dark(false);
      browser.size(1280, 800);
    }
  }
}
