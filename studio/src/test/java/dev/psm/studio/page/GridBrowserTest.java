package dev.psm.studio.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.studio.ModelShelf;
import dev.psm.studio.SmallRuns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/**
 * The grids' view in a real browser, beginning without any agent but one of FB that learned little.
 */
@Tag("slow")
final class GridBrowserTest {
  private static final GridMap MAP = GridMap.named("gridworld");
  private static final boolean FOR_DOCS = System.getProperty("psm.screenshots") != null;

  private static StudioBrowser browser;

  @BeforeAll
  static void open() throws IOException {
    Path runs = SmallRuns.emptyFolder("grids");
    // Pictures for the docs show FB as good as it gets; the tests only need one that errs.
    Path fb = runs.resolve("gridworld").resolve("fb");
    SmallRuns.train(fb, new GridWorld(MAP), "fb", FOR_DOCS ? null : 100);
    SmallRuns.train(
        runs.resolve("gridworld").resolve("laplacian"), new GridWorld(MAP), "laplacian", 100);
    ModelShelf shelf = new ModelShelf();
    shelf.add(fb);
    browser = new StudioBrowser(shelf, runs);
    browser
        .driver()
        .executeCdpCommand(
            "Browser.grantPermissions",
            Map.of(
                "permissions",
                java.util.List.of("clipboardReadWrite", "clipboardSanitizedWrite"),
                "origin",
                browser.address()));
  }

  @AfterAll
  static void close() {
    browser.close();
  }

  /** PSM is pretrained on the first visit. */
  @BeforeEach
  void openTrained() {
    browser.open("grid");
    browser.find("[data-agent=psm][aria-pressed=true]");
  }

  private static void cell(int row, int column) {
    click(row, column);
    settled();
  }

  private static void click(int row, int column) {
    WebElement board = browser.find("canvas.board");
    browser.script("arguments[0].scrollIntoView({block: 'center'})", board);
    Dimension size = board.getSize();
    browser
        .actions()
        .moveToElement(
            board,
            (int) ((column + 0.5) * size.width / MAP.width() - size.width / 2.0),
            (int) ((row + 0.5) * size.height / MAP.height() - size.height / 2.0))
        .click()
        .perform();
  }

  /** As soon as the answer to the last question is drawn. */
  private static void settled() {
    browser.awaitTrue(
        "(({asked, drawn}) => asked === drawn)(document.querySelector('.grid-view').dataset)");
  }

  /** A change of walls is first checked by the server. */
  private static void redrawn() {
    browser.awaitTrue(
        "document.getElementById('map').selectedOptions[0].text === 'gridworld-redrawn'");
    settled();
  }

  private static String says(int row, int column) {
    WebElement board = browser.find("canvas.board");
    Dimension size = board.getSize();
    browser
        .actions()
        .moveToElement(
            board,
            (int) ((column + 0.5) * size.width / MAP.width() - size.width / 2.0),
            (int) ((row + 0.5) * size.height / MAP.height() - size.height / 2.0))
        .perform();
    return browser.find("#board-says").getText();
  }

  private static Object picture() {
    return browser.script("return document.querySelector('canvas.board').toDataURL()");
  }

  /** Pixels of arrows that are not optimal. */
  private static long red() {
    return (Long)
        browser.script(
            """
            const canvas = document.querySelector('canvas.board');
            const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            let red = 0;
            for (let i = 0; i < data.length; i += 4) {
              red += data[i] === 0xc1 && data[i + 1] === 0 && data[i + 2] === 0x2b;
            }
            return red;
            """);
  }

  private static String verdict() {
    return browser.find(".verdict").getText();
  }

  @Test
  void goalTurnsTheArrowsTowardsIt() {
    cell(1, 8);
    Object before = picture();
    assertTrue(says(1, 4).endsWith("action right"), says(1, 4));
    cell(1, 1);
    assertNotEquals(before, picture());
    assertTrue(says(1, 4).endsWith("action left"), says(1, 4));
    assertTrue(verdict().startsWith("PSM"), verdict());
  }

  @Test
  void exactSolutionAndAgentsAreSideBySide() {
    cell(1, 8);
    browser.button("− Reward").click();
    cell(5, 5);
    cell(6, 2);
    browser.button("Start").click();
    cell(7, 1);
    assertTrue(verdict().contains("The walk takes 13 steps and stays."), verdict());
    browser.find("[data-agent=exact]").click();
    settled();
    assertEquals(0, red());
    assertTrue(verdict().startsWith("The exact solution."), verdict());
    browser.find("[data-agent=fb]").click();
    settled();
    Matcher wrong = Pattern.compile("FB: (\\d+) of 50 arrows are not optimal").matcher(verdict());
    assertTrue(wrong.find() && Integer.parseInt(wrong.group(1)) > 0, verdict());
    assertTrue(red() > 0, "wrong arrows are red");
    browser.screenshot("studio-grid");
    browser.assertSound();
  }

  @Test
  void strokeLeavesNoGapsAndIsTakenBack() {
    browser.button("+ Reward").click();
    WebElement board = browser.find("canvas.board");
    int cell = board.getSize().width / MAP.width();
    browser
        .actions()
        .moveToElement(board, (int) (-2.5 * cell), (int) (-3.0 * cell))
        .clickAndHold()
        .moveByOffset(5 * cell, 0)
        .release()
        .perform();
    settled();
    for (int column = 2; column <= 7; column++) {
      assertTrue(says(1, column).contains("reward 1,"), says(1, column));
    }
    browser.button("Undo").click();
    settled();
    assertTrue(says(1, 4).endsWith("reward 0"), says(1, 4));
  }

  @Test
  void keysMoveACursorAndPaint() {
    WebElement board = browser.find("canvas.board");
    browser.script("arguments[0].focus()", board);
    board.sendKeys("p", Keys.ARROW_RIGHT, Keys.ARROW_DOWN, " ");
    settled();
    assertTrue(browser.find("#board-says").getText().startsWith("row 2, column 2: reward 1"));
    board.sendKeys("n", Keys.chord(Keys.SHIFT, Keys.ARROW_DOWN));
    assertTrue(browser.find("#board-says").getText().startsWith("row 3, column 2: reward −1"));
    board.sendKeys("g");
    settled();
    assertEquals("row == 3 && col == 2", browser.find("#formula").getAttribute("value"));
    board.sendKeys(Keys.chord(Keys.CONTROL, "z"));
    settled();
    assertEquals("", browser.find("#formula").getAttribute("value"));
  }

  @Test
  void formulaIsObeyedOrRefusedInWords() {
    WebElement formula = browser.find("#formula");
    says(3, 1);
    formula.sendKeys("row == 7 && col == 1");
    browser.awaitTrue("document.getElementById('board-says').textContent.endsWith('action down')");
    formula.sendKeys(" + nonsense");
    browser.awaitTrue("document.getElementById('formula-error').textContent.includes('nonsense')");
    browser.assertSoundBut("400");
  }

  @Test
  void whatIsOnThePageCanBeCopied() {
    cell(1, 8);
    assertTrue(copied("Copy as command").endsWith("/psm --goal 1,8"), copied("Copy as command"));
    assertTrue(copied("Copy as Java").contains("agent.solve(\"row == 1 && col == 8\")"));
    browser.button("+ Reward").click();
    cell(7, 1);
    String command = copied("Copy as command");
    assertTrue(
        command.startsWith("cat > reward.csv <<'END'\n,,,,,,,,,\n,0,0,0,0,0,0,0,1,"), command);
    assertTrue(command.endsWith("/psm --reward reward.csv"), command);
  }

  private static String copied(String button) {
    clipboard("writeText('')");
    browser.button(button).click();
    return browser.await(
        "a text in the clipboard",
        () -> {
          String text = clipboard("readText()");
          return text.isEmpty() ? null : text;
        });
  }

  private static String clipboard(String call) {
    return (String)
        browser
            .driver()
            .executeAsyncScript(
                "const done = arguments[0]; navigator.clipboard."
                    + call
                    + ".then((text) => done(text ?? ''), (e) => done(String(e)))");
  }

  @Test
  void wallsMakeAnotherWorldThatCanBePretrained() {
    cell(1, 8);
    browser.button("Wall").click();
    click(5, 4);
    redrawn();
    assertTrue(verdict().startsWith("The exact solution."), verdict());
    assertEquals("row 5, column 4: a wall", says(5, 4));
    browser.button("Pretrain PSM").click();
    browser.awaitTrue(
        "document.querySelector('[data-learner=psm] progress:not([hidden])')?.value > 0");
    browser.button("Stop").click();
    browser.button("Go on with PSM").click();
    browser.awaitTrue(
        "/% of 1000 steps/.test(document.querySelector('[data-learner=psm]').innerText)");
    browser.button("Stop").click();
    browser.button("Go on with PSM");
    browser.assertSound();
  }

  /** It is there before anybody could have seen it begin. */
  @Test
  void finishedAgentIsOnlyTaken() {
    browser.button("Pretrain Laplacian").click();
    browser.find("[data-agent=laplacian]");
    browser.assertSound();
  }

  @Test
  void wallThatCutsTheWorldIsRefused() {
    browser.button("Wall").click();
    click(1, 2);
    redrawn();
    click(2, 1);
    String notice = browser.find("#notice.error").getText();
    assertTrue(notice.contains("connected"), notice);
    browser.assertSoundBut("400");
  }

  @Test
  void measureAndBasisAreShown() {
    cell(1, 8);
    browser.script("document.querySelector('.inside').open = true");
    browser.awaitTrue("document.querySelectorAll('.functions canvas').length === 12");
    String words = browser.find(".inside").getText();
    assertTrue(words.contains("half of all differences: 0.0"), words);
    assertTrue(words.contains("1 to 12 of 96"), words);
    browser.find("[data-agent=exact]").click();
    browser.awaitTrue("document.querySelectorAll('.functions canvas').length === 0");
    browser.find("[data-agent=psm]").click();
    browser.awaitTrue("document.querySelectorAll('.functions canvas').length === 12");
    browser.size(1280, 1300);
    settled();
    browser.screenshot("studio-inside");
    browser.assertSound();
    browser.size(1280, 800);
  }

  @Test
  void darkPhoneIsSoundToo() {
    browser.size(390, 844);
    browser.dark(true);
    try {
      openTrained();
      cell(1, 8);
      assertTrue(says(1, 4).endsWith("action right"), says(1, 4));
      browser.script("window.scrollTo(0, 0)");
      browser.screenshot("studio-grid-phone");
      browser.assertSound();
    } finally {
      browser.dark(false);
      browser.size(1280, 800);
    }
  }
}
