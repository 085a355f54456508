package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CurvesCommandTest {
  @TempDir private static Path shared;
  @TempDir private Path fresh;
  private static Path run;

  @BeforeAll
  static void train() {
    run = shared.resolve("run");
    Path data = PretrainDataTest.collect(shared.resolve("data"), "maze");
    List<Object> line = new ArrayList<>(List.of("pretrain", "--data", data, "--out", run));
    line.addAll(List.of("--seeds", "0,3", "--steps", 8, "--log-every", 1, "--episodes", 1));
    line.addAll(PretrainDataTest.TINY);
    Cli.run(line.toArray()).succeeded();
  }

  private Cli.Result curves(Object... line) {
    List<Object> all = new ArrayList<>(List.of("curves"));
    all.addAll(List.of(line));
    return Cli.run(all.toArray());
  }

  @Test
  void aPageHasEveryNumberThatWasLogged() throws IOException {
    Path page = fresh.resolve("curves.html");
    JsonNode document = curves(run, "--out", page, "--json").json();
    assertEquals("return/average", document.at("/metrics/0").asText(), document::toString);
    String html = Files.readString(page);
    for (String metric :
        List.of("reach_top_left", "average over tasks", "proto_loss", "feature_rank")) {
      assertTrue(html.contains(metric + " on point_mass_maze"), metric);
    }
    assertTrue(html.contains("PSM, seeds 0, 3"), html);
  }

  @Test
  void aPictureHasOneOfThem() throws IOException {
    Path picture = fresh.resolve("reach.svg");
    curves(run, "--out", picture, "--metric", "return/reach_top_left").succeeded();
    String svg = Files.readString(picture);
    assertTrue(svg.startsWith("<svg") && svg.contains("reach_top_left on point_mass_maze"), svg);
    curves(run, "--out", picture, "--metric", "return/sing")
        .refused("'return/sing' was not logged; there are return/average");
  }

  @Test
  void returnsStandBesideThePapersAndThoseOfRandomActions() throws IOException {
    Path picture = fresh.resolve("average.svg");
    curves(run, "--out", picture).succeeded();
    String svg = Files.readString(picture);
    assertTrue(svg.contains(">PSM in the paper<") && svg.contains(">random actions<"), svg);
    assertTrue(svg.contains(">600<"), "the axis reaches the paper's 514");
    curves(run, "--out", picture, "--metric", "proto_loss").succeeded();
    assertFalse(Files.readString(picture).contains("paper"), "there is none for a loss");
  }

  @Test
  void runsOfOneAgentAreToldApartByTheLastNamesOfTheirFolders() throws IOException {
    Path first = copy("a/slow");
    Path second = copy("b/slow");
    Path third = copy("b/fast");
    Path picture = fresh.resolve("three.svg");
    curves(first, second, third, "--out", picture).succeeded();
    String svg = Files.readString(picture);
    for (String name : List.of("a/slow", "b/slow", "fast")) {
      assertTrue(svg.contains(">PSM, " + name + ", seeds 0, 3<"), name + " is not in " + svg);
    }
    assertFalse(svg.contains(fresh.toString()), "a legend has no place for absolute paths");
    assertEquals(2, svg.split(">PSM in the paper<", -1).length, "once for an agent");
  }

  private Path copy(String name) throws IOException {
    Path copy = fresh.resolve(name);
    for (String seed : List.of("seed-0", "seed-3")) {
      Files.createDirectories(copy.resolve(seed));
      Files.copy(
          run.resolve(seed).resolve("metrics.jsonl"), copy.resolve(seed).resolve("metrics.jsonl"));
    }
    Files.copy(run.resolve("run.json"), copy.resolve("run.json"));
    return copy;
  }

  @Test
  void oneSeedHasNoSpread() throws IOException {
    Path copy = fresh.resolve("one");
    Files.createDirectories(copy.resolve("seed-0"));
    Files.copy(run.resolve("seed-0/metrics.jsonl"), copy.resolve("seed-0/metrics.jsonl"));
    Files.writeString(
        copy.resolve("run.json"),
        Files.readString(run.resolve("run.json")).replaceFirst("\\[\\s*0,\\s*3\\s*\\]", "[0]"));
    Path page = fresh.resolve("one.html");
    curves(copy, "--out", page).succeeded();
    String html = Files.readString(page);
    assertTrue(html.contains("PSM, seed 0"), html);
    assertFalse(html.contains("±") || html.contains("standard deviation"), html);
    curves(run, "--out", page).succeeded();
    assertTrue(Files.readString(page).contains(" ± "), "two seeds have one");
  }

  /** The mean of both seeds, as far as both have come. */
  @Test
  void seedsAreAveraged() throws IOException {
    Path copy = fresh.resolve("copy");
    Files.createDirectories(copy.resolve("seed-0"));
    Files.createDirectories(copy.resolve("seed-3"));
    Files.copy(run.resolve("run.json"), copy.resolve("run.json"));
    String line = "{\"step\":%d,\"seconds\":1.0,\"loss\":%d}%n";
    Files.writeString(
        copy.resolve("seed-0/metrics.jsonl"), line.formatted(1, 2) + line.formatted(2, 90));
    // The second line is being written.
    Files.writeString(copy.resolve("seed-3/metrics.jsonl"), line.formatted(1, 4) + "{\"st");
    Path picture = fresh.resolve("loss.svg");
    curves(copy, "--out", picture, "--metric", "loss").succeeded();
    String svg = Files.readString(picture);
    // One value, which is a dot, in the middle of an axis around 3.
    assertTrue(svg.contains("h0") && svg.contains(">3<"), svg);
    Files.writeString(copy.resolve("seed-3/metrics.jsonl"), "");
    curves(copy, "--out", picture, "--metric", "loss").succeeded();
    assertFalse(Files.readString(picture).contains("h0"), "one seed alone is not the run");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"stop\":3,\"loss\":1} | line 2: field 'step' is missing",
        "{\"step\":1e400,\"loss\":1} | line 2: field 'step' is",
        "{\"step\":-1,\"loss\":1} | line 2: field 'step' is -1",
        "{\"step\":2,\"loss\":[1]} | line 2: field 'loss' is [1], expected a number",
        "garbage | line 2",
        "[1] | line 2: field 'step' is missing"
      })
  void aDamagedLogIsRefused(String line, String expected) throws IOException {
    Path copy = fresh.resolve("copy");
    Files.createDirectories(copy.resolve("seed-0"));
    Files.copy(run.resolve("run.json"), copy.resolve("run.json"));
    String good = "{\"step\":1,\"seconds\":1.0,\"loss\":2}\n";
    Path log = copy.resolve("seed-0/metrics.jsonl");
    Files.writeString(log, good + line + "\n" + good);
    curves(copy, "--out", fresh.resolve("x.html")).refused("metrics.jsonl", expected);
    Files.write(log, new byte[] {'{', (byte) 0xff, (byte) 0xfe});
    curves(copy, "--out", fresh.resolve("x.html")).refused("not UTF-8 text");
    Files.delete(log);
    curves(copy, "--out", fresh.resolve("x.html")).refused("there is nothing in the logs");
  }

  @Test
  void whatIsNoRunIsRefused() {
    Path out = fresh.resolve("curves.html");
    curves(fresh, "--out", out).refused("is no run");
    curves(fresh.resolve("none"), "--out", out).refused("there is no folder");
    curves(run, run, "--out", out).refused("is given twice");
    curves(run, "--out", "curves.png").refused("must end in .html or .svg");
    curves(run, "--out", out, "--metric", "x").refused("--metric is for a picture");
    assertFalse(Files.exists(out));
  }
}
