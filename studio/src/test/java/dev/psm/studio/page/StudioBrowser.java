package dev.psm.studio.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import dev.psm.studio.ModelShelf;
import dev.psm.studio.web.WebServer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.TimeoutException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * A studio on a free port and a headless Chromium that looks at it, with a fresh profile. Nothing
 * but this machine can be reached from that browser.
 *
 * <p>A test that opens one fails, and says what to install, where Chromium is missing.
 */
final class StudioBrowser implements AutoCloseable {
  private static final String INSTALL =
      "; install it (Debian: apt-get install chromium chromium-driver)";
  private static final List<String> ARGUMENTS =
      List.of(
          "--headless=new",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--disable-dev-shm-usage",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--enable-unsafe-swiftshader",
          "--force-device-scale-factor=1",
          "--hide-scrollbars",
          "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1");
  // It warns of every Chromium newer than itself, of which nothing here needs to know.
  private static final Logger VERSIONS =
      Logger.getLogger("org.openqa.selenium.devtools.CdpVersionFinder");
  private static final Set<String> GRAVE = Set.of("serious", "critical");

  private final Path runs;
  private Studio studio;
  private int port;
  private final Path profile;
  private final ChromeDriver driver;
  private int width;

  /** Starts both; the shelf is closed with them. Runs of the studio's own go with the browser. */
  StudioBrowser(ModelShelf shelf) {
    this(shelf, temporary("psm-studio-runs"));
  }

  /**
   * @param runs where runs are looked for, and where those of the studio's own go
   */
  StudioBrowser(ModelShelf shelf, Path runs) {
    this.runs = runs;
    studio = new Studio(shelf, WebServer.Settings.loopback(0), List.of(runs), runs);
    profile = temporary("psm-chromium");
    try {
      driver = start(profile);
    } catch (RuntimeException | AssertionError e) {
      studio.close();
      throw e;
    }
    size(1280, 800);
  }

  private static Path temporary(String name) {
    try {
      return Files.createTempDirectory(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ChromeDriver start(Path profile) {
    VERSIONS.setLevel(Level.OFF);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(program("chromium", "chromium-browser", "google-chrome"));
    options.addArguments(ARGUMENTS).addArguments("--user-data-dir=" + profile);
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    // A driver that is named is not looked for, so Selenium downloads nothing.
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(program("chromedriver"))
            .usingAnyFreePort()
            .build();
    return new ChromeDriver(service, options);
  }

  private static File program(String... names) {
    String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/bin";
    return Arrays.stream(names)
        .flatMap(
            name -> Arrays.stream(path.split(File.pathSeparator)).map(each -> new File(each, name)))
        .filter(File::canExecute)
        .findFirst()
        .orElseGet(
            () -> fail("the studio's tests need " + names[0] + ", which is not here" + INSTALL));
  }

  ChromeDriver driver() {
    return driver;
  }

  String address() {
    return studio.address();
  }

  /** Stops the studio, as if its machine went down; {@link #restart} brings it back. */
  void stop() {
    port = URI.create(studio.address()).getPort();
    studio.close();
  }

  /** Starts another one at the address of the one that was stopped. */
  void restart(ModelShelf shelf) {
    studio = new Studio(shelf, WebServer.Settings.loopback(port), List.of(runs), runs);
  }

  /** Opens a view, for instance {@code grid/my-run}, and waits for its heading. */
  void open(String view) {
    driver.get("about:blank");
    driver.get(studio.address() + "/#/" + view);
    find("main h1");
  }

  /** The page's size in pixels; one of less than 600 is a phone's. */
  void size(int width, int height) {
    this.width = width;
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
  }

  /** What the system says it prefers. */
  void dark(boolean dark) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  /** The first visible element of a CSS selector, as soon as there is one. */
  WebElement find(String selector) {
    return await(
        "a visible " + selector,
        () ->
            driver.findElements(By.cssSelector(selector)).stream()
                .filter(WebElement::isDisplayed)
                .findFirst()
                .orElse(null));
  }

  /** The first visible button or link with exactly this text or label. */
  WebElement button(String text) {
    String xpath =
        "//*[self::button or self::a or self::summary][normalize-space()='%s' or @aria-label='%s']"
            .formatted(text, text);
    return await(
        "a button '" + text + "'",
        () ->
            driver.findElements(By.xpath(xpath)).stream()
                .filter(WebElement::isDisplayed)
                .findFirst()
                .orElse(null));
  }

  Actions actions() {
    return new Actions(driver);
  }

  /** What a JavaScript function body returns. */
  Object script(String body, Object... arguments) {
    return ((JavascriptExecutor) driver).executeScript(body, arguments);
  }

  /** Waits until a JavaScript expression is true. */
  void awaitTrue(String expression) {
    await(
        expression, () -> Boolean.TRUE.equals(script("return !!(" + expression + ")")) ? 1 : null);
  }

  /** Waits up to a minute for something other than null. */
  <T> T await(String what, Supplier<T> supplier) {
    try {
      return new WebDriverWait(driver, Duration.ofSeconds(60), Duration.ofMillis(50))
          .ignoring(StaleElementReferenceException.class)
          .until(any -> supplier.get());
    } catch (TimeoutException e) {
      return fail(
          "waited in vain for %s on %s; the page says: %s; its console: %s"
              .formatted(
                  what,
                  driver.getCurrentUrl(),
                  script("return document.body.innerText"),
                  consoleErrors()));
    }
  }

  /** Errors of the page's scripts, of what it loads and of its content policy, since last asked. */
  List<String> consoleErrors() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
        .map(Object::toString)
        .toList();
  }

  /** What the page must keep on every view: no errors, nothing from outside, nothing too wide. */
  void assertSound() {
    assertSoundBut("nothing at all is expected");
  }

  /**
   * The same where the browser tells of a refusal that was meant to be.
   *
   * @param expected what errors in the console may contain
   */
  void assertSoundBut(String expected) {
    assertEquals(
        List.of(),
        consoleErrors().stream().filter(error -> !error.contains(expected)).toList(),
        "errors in the console of " + driver.getCurrentUrl());
    assertEquals(
        List.of(),
        script(
            "return performance.getEntriesByType('resource').map((each) => each.name)"
                + ".filter((name) => !/^(blob:|data:)/.test(name) && new URL(name).host !== location.host)"),
        "loaded from elsewhere");
    assertFits();
    assertAccessible();
  }

  /** A phone's innerWidth grows with what is too wide, so the width is the one that was set. */
  void assertFits() {
    assertEquals(
        List.of(),
        script(
            """
            const width = arguments[0];
            const too = document.documentElement.scrollWidth - width;
            return too <= 0 ? [] : [too + ' pixels'].concat([...document.querySelectorAll('main *')]
              .filter((each) => each.getBoundingClientRect().right + scrollX > width)
              .map((each) => each.outerHTML.slice(0, 80)));
            """,
            width),
        "what is wider than %d pixels on %s".formatted(width, driver.getCurrentUrl()));
  }

  /** No serious or critical finding of axe-core. */
  void assertAccessible() {
    List<String> findings =
        new AxeBuilder()
            .analyze(driver).getViolations().stream()
                .filter(rule -> GRAVE.contains(rule.getImpact()))
                .map(StudioBrowser::words)
                .toList();
    assertEquals(List.of(), findings, "what axe found on " + driver.getCurrentUrl());
  }

  private static String words(Rule rule) {
    return "%s (%s): %s"
        .formatted(
            rule.getHelp(),
            rule.getImpact(),
            rule.getNodes().stream().limit(3).map(node -> node.getHtml()).toList());
  }

  /**
   * Writes what is seen to a PNG file in {@code target/screenshots}, or where the property {@code
   * psm.screenshots} says.
   */
  Path screenshot(String name) {
    Path folder = Path.of(System.getProperty("psm.screenshots", "target/screenshots"));
    try {
      Files.createDirectories(folder);
      return Files.write(folder.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    driver.quit();
    studio.close();
    try (Stream<Path> files = Files.walk(profile)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      // Chromium may still be writing; the system clears its temporary folder.
    }
  }
}
