package dev.psm.studio.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.studio.ModelShelf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Bodies in a real browser: the agents of models/ are told what to do and do it. */
@Tag("slow")
final class BodyBrowserTest {
  private static final String SAMPLE = "In the agent’s sample";

  private static StudioBrowser browser;

  @BeforeAll
  static void open() {
    browser = new StudioBrowser(shelf());
  }

  private static ModelShelf shelf() {
    ModelShelf shelf = new ModelShelf();
    shelf.add(Path.of("../models/walker-psm"));
    shelf.add(Path.of("../models/fetchreach-psm"));
    return shelf;
  }

  @AfterAll
  static void close() {
    browser.close();
  }

  @AfterEach
  void leave() {
    browser.size(1280, 800);
    browser.dark(false);
    browser.open("home");
  }

  private static void type(String formula) {
    browser.find(".cm-content").click();
    browser
        .actions()
        .keyDown(Keys.CONTROL)
        .sendKeys("a")
        .keyUp(Keys.CONTROL)
        .sendKeys(Keys.DELETE)
        .sendKeys(formula)
        .sendKeys(Keys.ESCAPE)
        .perform();
  }

  private static double number(String name) {
    return Double.parseDouble(
        (String)
            browser.script(
                "return document.querySelector('.body-view').dataset[arguments[0]] ?? 'NaN'",
                name));
  }

  private static void awaitData(String expression) {
    browser.awaitTrue("((d) => " + expression + ")(document.querySelector('.body-view').dataset)");
  }

  @Test
  void walkerStandsAndRunsAtASecondFormula() {
    browser.open("body/walker-psm?reward=stand");
    awaitData("d.elapsed > 80");
    double stood = number("x");
    assertTrue(Math.abs(stood) < 3, "it stands where it began, not at " + stood);
    double episode = number("episode");
    type("upright * clip(velocity_x / 4, 0, 1)");
    browser.awaitTrue("document.querySelector('.clock').textContent.includes('velocity_x')");
    awaitData("d.x > %s + 4".formatted(stood));
    browser.screenshot("studio-walker");
    assertEquals(episode, number("episode"), "without a reset");
    assertTrue(browser.find(".answered").getText().startsWith("obeyed in"));
    assertTrue(browser.driver().getCurrentUrl().contains("reward=upright"), "in the address");
    browser.assertSound();
  }

  @Test
  void wrongFormulaIsMarkedAndTheRightOneObeyed() {
    browser.open("body/walker-psm?reward=stand");
    awaitData("d.elapsed > 5");
    type("upright * velocty_x");
    browser.awaitTrue(
        "document.querySelector('.prompt-status').textContent.startsWith('Column 11')");
    browser.find(".cm-lintRange-error");
    assertTrue(browser.find(".prompt-status").getText().contains("velocity_x"), "a remedy");
    browser.assertAccessible();
    browser.screenshot("studio-formula-error");
    awaitData("d.elapsed > %s + 20".formatted(number("elapsed")));
    assertEquals("stand", clock(), "the old formula stays");
    type("upright * velocity_x");
    browser.awaitTrue(
        "document.querySelector('.prompt-status').textContent.startsWith('%s')".formatted(SAMPLE));
    browser.awaitTrue("document.querySelector('.clock').textContent.includes('velocity_x')");
    assertEquals(0, browser.driver().findElements(By.cssSelector(".cm-lintRange-error")).size());
  }

  private static String clock() {
    return browser.find(".clock").getText().replaceFirst("^[\\d.]+ s\\s+", "");
  }

  @Test
  void wordsOfTheWorldAreCompletedWithTheirMeaning() {
    browser.open("body/walker-psm?reward=stand");
    awaitData("d.elapsed > 5");
    browser.find(".cm-content").click();
    browser
        .actions()
        .keyDown(Keys.CONTROL)
        .sendKeys("a")
        .keyUp(Keys.CONTROL)
        .sendKeys("torso_h")
        .perform();
    browser.find(".cm-tooltip-autocomplete");
    assertTrue(browser.find(".cm-completionInfo").getText().length() > 5, "a sentence");
    browser.actions().pause(200).sendKeys(Keys.ENTER).perform();
    browser.awaitTrue("document.querySelector('.cm-content').textContent.includes('torso_height')");
  }

  @Test
  void mouseButtonsAndKeysPush() {
    browser.open("body/walker-psm?reward=stand");
    awaitData("d.elapsed > 40");
    WebElement canvas = browser.find("canvas.stage");
    // In stopped time it is still there when the browser gets round to it.
    browser.button("Pause").click();
    int[] place = findBody(canvas);
    assertNotNull(place, "the body is where the camera looks");
    browser
        .actions()
        .moveToElement(canvas, place[0], place[1])
        .clickAndHold()
        .moveByOffset(60, 0)
        .moveByOffset(60, 0)
        .perform();
    browser.script("document.querySelector('button[aria-label=Play]').click()");
    awaitData("d.pushed === 'true'");
    browser.screenshot("studio-push");
    browser.actions().release().perform();
    awaitData("d.pushed === 'false'");
    browser.script("arguments[0].focus()", canvas);
    browser.actions().keyDown(Keys.SHIFT).keyDown(Keys.ARROW_LEFT).perform();
    awaitData("d.pushed === 'true'");
    browser.actions().keyUp(Keys.ARROW_LEFT).keyUp(Keys.SHIFT).perform();
    awaitData("d.pushed === 'false'");
    browser.script(
        "window.pushes = 0; new MutationObserver(() => pushes += document.querySelector('.body-view').dataset.pushed === 'true')"
            + ".observe(document.querySelector('.body-view'), {attributeFilter: ['data-pushed']})");
    browser.button("Push to the right").click();
    browser.awaitTrue("window.pushes > 0");
    awaitData("d.pushed === 'false'");
  }

  /** Where a hand over the canvas would take hold of something, from its middle. */
  private static int[] findBody(WebElement canvas) {
    for (int y = -90; y <= 90; y += 15) {
      for (int x = -75; x <= 75; x += 15) {
        browser.actions().moveToElement(canvas, x, y).perform();
        if ("grab".equals(browser.script("return arguments[0].style.cursor", canvas))) {
          return new int[] {x, y};
        }
      }
    }
    return null;
  }

  @Test
  void keysPauseGoOnAndBeginAnew() {
    browser.open("body/walker-psm?reward=stand");
    awaitData("d.elapsed > 10");
    browser.script("document.querySelector('canvas.stage').focus()");
    browser.actions().sendKeys(" ").perform();
    browser.button("Play");
    browser.actions().sendKeys("r").perform();
    awaitData("d.elapsed === '0'");
    browser.actions().sendKeys(Keys.ARROW_LEFT, Keys.ARROW_UP, "+", Keys.HOME, " ").perform();
    browser.button("Pause");
    awaitData("d.elapsed > 5");
  }

  @Test
  void filmIsWebm() {
    browser.open("body/walker-psm");
    awaitData("d.x > 1");
    browser.script(
        "window.films = []; const make = URL.createObjectURL;"
            + "URL.createObjectURL = (blob) => (films.push(blob), make.call(URL, blob))");
    browser.button("Record a film").click();
    awaitData("d.elapsed > %s + 80".formatted(number("elapsed")));
    browser.button("Stop recording").click();
    browser.awaitTrue("window.films.length");
    List<?> bytes =
        (List<?>)
            browser
                .driver()
                .executeAsyncScript(
                    "films[0].arrayBuffer().then((b) => arguments[0]([b.byteLength, ...new Uint8Array(b, 0, 4)]))");
    assertTrue((Long) bytes.get(0) > 10_000, "a film of " + bytes.get(0) + " bytes");
    assertEquals(List.of(0x1AL, 0x45L, 0xDFL, 0xA3L), bytes.subList(1, 5), "EBML");
  }

  @Test
  void goesOnWhenTheServerComesBack() {
    browser.open("body/walker-psm?reward=run");
    awaitData("d.x > 2");
    browser.stop();
    browser.awaitTrue(
        "document.querySelector('.curtain').textContent.includes('does not answer')"
            + " && !document.querySelector('.curtain').hidden");
    browser.screenshot("studio-away");
    browser.restart(shelf());
    browser.awaitTrue("document.querySelector('.curtain').hidden");
    awaitData("d.x > 2");
    assertEquals("run", clock(), "the same prompt");
    // That the server was gone is told in the console, rightly.
    browser.consoleErrors();
  }

  @Test
  void twoPoliciesBeginInTheSameStart() {
    browser.open("body/walker-psm?reward=run&other=flip");
    browser.awaitTrue(
        "[...document.querySelectorAll('.clock')].map((each) => each.textContent.split(/\\s+/).at(-1)).join() === 'run,flip'");
    awaitData("d.elapsed > 60");
    browser.screenshot("studio-two");
    browser.assertSound();
    browser.button("Two policies side by side").click();
    awaitData("d.lanes === '1'");
  }

  @Test
  void promptIsCopiedForTerminalAndJava() {
    browser.open("body/walker-psm?reward=upright%20*%20velocity_x");
    awaitData("d.elapsed > 5");
    browser.script(
        "navigator.clipboard.writeText = (text) => (window.copied = text, Promise.resolve())");
    browser.button("Copy as command").click();
    browser.awaitTrue("window.copied");
    assertTrue(
        ((String) browser.script("return copied"))
            // Quoted where the folder's name has a blank.
            .matches(
                "\\./psm solve (\\S*models/walker-psm|'.* .*models/walker-psm') --reward 'upright \\* velocity_x'"),
        () -> (String) browser.script("return copied"));
    browser.button("Copy as Java").click();
    browser.awaitTrue("copied.includes('agent.solve(\"upright * velocity_x\")')");
  }

  @Test
  void poseIsShownPaleAndPursued() {
    browser.open("body/walker-psm?reward=stand");
    awaitData("d.elapsed > 5");
    browser.button("Goal").click();
    WebElement slider = browser.find(".pose input");
    slider.sendKeys(Keys.ARROW_LEFT, Keys.ARROW_LEFT);
    browser.button("Take this pose").click();
    browser.awaitTrue("document.querySelector('.clock').textContent.includes('goal')");
    awaitData("d.elapsed > %s + 40".formatted(number("elapsed")));
    browser.screenshot("studio-pose");
    browser.assertSound();
    browser.button("Another").click();
    browser.button("Reach this state").click();
    browser.awaitTrue("document.querySelector('.clock').textContent.includes('state')");
  }

  @Test
  void armReachesAGoal() {
    browser.open("body/fetchreach-psm");
    awaitData("d.elapsed > 5");
    browser.button("Goal").click();
    browser.find("input[aria-label='goal_z']").sendKeys(Keys.PAGE_UP, Keys.PAGE_UP);
    browser.button("Go there").click();
    browser.awaitTrue("document.querySelector('.clock').textContent.includes('goal')");
    browser.awaitTrue("document.querySelector('.legend output').textContent < 0.05");
    browser.screenshot("studio-arm");
    browser.assertSound();
  }

  @Test
  void demonstrationIsUploadedAndFollowed() throws IOException {
    Path file = Files.createTempFile("demonstration", ".csv");
    String row = String.join(",", Arrays.stream(new double[24]).mapToObj(String::valueOf).toList());
    Files.writeString(file, row + "\n" + row + "\n");
    browser.open("body/walker-psm?reward=stand");
    awaitData("d.elapsed > 5");
    browser.button("Demonstration").click();
    browser.find("input[type=file]").sendKeys(file.toString());
    browser.awaitTrue("document.querySelector('.clock').textContent.includes('demonstration')");
    Path wrong = Files.writeString(file.resolveSibling(file.getFileName() + ".txt"), "1,2,3\n");
    browser.find("input[type=file]").sendKeys(wrong.toString());
    browser.awaitTrue("document.body.innerText.includes('line 1: expected 24 numbers')");
    browser.consoleErrors();
    Files.delete(file);
    Files.delete(wrong);
  }

  @Test
  void beliefsAreDrawn() {
    browser.size(390, 640);
    browser.open("body/walker-psm?reward=run");
    awaitData("d.elapsed > 5");
    browser.find(".body-view details.panel summary").click();
    browser.awaitTrue("document.querySelectorAll('.belief').length === 2");
    browser.awaitTrue("document.querySelectorAll('.cosines li').length === 4");
    assertTrue(browser.find(".beliefs").getText().contains("correlation 0."));
    browser.script("document.querySelector('.beliefs').scrollIntoView(); scrollBy(0, -110)");
    browser.screenshot("studio-beliefs");
    browser.assertSound();
  }

  @Test
  void phoneIsWideEnoughInTheDark() {
    browser.size(390, 844);
    browser.dark(true);
    browser.open("body/walker-psm?reward=walk&other=run");
    awaitData("d.elapsed > 40");
    browser.screenshot("studio-phone");
    browser.assertSound();
  }

  @Test
  void agentsAreListedAndAWrongOneIsTold() {
    browser.open("body");
    browser.assertSound();
    browser.button("fetchreach-psm").click();
    browser.find("canvas.stage");
    browser.driver().get(browser.address() + "/#/body/nobody");
    browser.awaitTrue("document.body.innerText.includes('there is no agent')");
    browser.consoleErrors();
  }
}
