package dev.psm.studio.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.psm.studio.ModelShelf;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page's frame in a real browser. */
@Tag("slow")
final class FrameBrowserTest {
  private static StudioBrowser browser;

  @BeforeAll
  static void open() {
    browser = new StudioBrowser(new ModelShelf());
  }

  @AfterAll
  static void close() {
    browser.close();
  }

  @Test
  void everyViewIsReachedFromTheFrame() {
    browser.open("home");
    List<?> links =
        (List<?>)
            browser.script(
                "return [...document.querySelectorAll('header nav a')].map((a) => a.hash)");
    assertEquals(List.of("#/home", "#/grid", "#/body", "#/runs", "#/toy"), links);
    browser.assertSound();
  }

  @Test
  void themeFollowsTheSystemUntilOneIsChosen() {
    browser.open("home");
    browser.dark(false);
    Object light = background();
    browser.dark(true);
    Object dark = background();
    assertNotEquals(light, dark);
    browser.assertSound();
    browser.find("#theme").click();
    assertEquals(light, background());
    browser.open("home");
    assertEquals(light, background(), "the choice is kept");
    browser.script("localStorage.clear(); delete document.documentElement.dataset.theme");
    browser.dark(false);
  }

  @Test
  void phoneIsWideEnough() {
    browser.size(390, 844);
    browser.open("home");
    browser.assertSound();
    browser.size(1280, 800);
  }

  @Test
  void whatIsTooWideForAPhoneIsFound() {
    browser.size(390, 844);
    browser.open("home");
    browser.script(
        "document.querySelector('main').append(Object.assign(document.createElement('p'),"
            + " {style: 'width: 500px', textContent: 'wide'}))");
    assertThrows(AssertionError.class, browser::assertFits);
    browser.size(1280, 800);
  }

  private static Object background() {
    return browser.script("return getComputedStyle(document.documentElement).backgroundColor");
  }
}
