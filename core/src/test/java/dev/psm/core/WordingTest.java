package dev.psm.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WordingTest {

  @Test
  void whatRoundsToZeroHasNoSign() {
    assertEquals("0.00", Wording.format("%.2f", -0.001));
    assertEquals("-0.01", Wording.format("%.2f", -0.01));
    assertEquals("[0, 0.0]", Wording.format("[%.0f, %.1f]", -0.1, -0.0));
    assertEquals("walk       0.00      -0.50", Wording.format("walk %10.2f %10.2f", -0.001, -0.5));
    assertEquals("-0.0e-5 run-0 1-0", Wording.format("-0.0e-5 run-0 1-0"));
  }

  @Test
  void oneIsSingular() {
    assertEquals("0 episodes", Wording.count(0, "episode"));
    assertEquals("1 episode", Wording.count(1, "episode"));
    assertEquals("2,000 steps", Wording.count(2000, "step"));
  }

  @Test
  void controlCharactersAreSpelledAndAllElseIsLeft() {
    assertEquals("a\\u001b[2J\\u000db\\u007f\\u009b", Wording.printable("a\033[2J\rb\u007f\u009b"));
    assertEquals("\\u202e\\u2066", Wording.printable("\u202e\u2066"));
    String plain = "two\tlines\nwith γ → 😀";
    assertEquals(plain, Wording.printable(plain));
  }

  @Test
  void aPathInASuggestedCommandIsOneWord() {
    assertEquals("runs/grid-1", Wording.shell(Path.of("runs/grid-1")));
    assertEquals("'my runs/grid'", Wording.shell(Path.of("my runs/grid")));
    assertEquals("'it'\\''s $HOME'", Wording.shell(Path.of("it's $HOME")));
  }
}
