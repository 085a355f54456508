package dev.psm.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Text with other words, separators, line ends and characters in it; and damaged bytes. */
final class TextMutator implements Function<RandomGenerator, byte[]> {
  private static final List<String> PIECES =
      List.of(
          "NaN",
          "inf",
          "-Infinity",
          "1e999",
          "-1e-999",
          "1f",
          "0x1p3",
          "1e40",
          "--1",
          "+",
          "1_0",
          "9".repeat(400),
          "1.",
          ".",
          "",
          ",",
          ",,",
          ";",
          "\t",
          " ",
          "\n",
          "\n\n",
          "\r\n",
          "\r",
          "#",
          "# remark",
          "\"",
          "'",
          "\0",
          "\u001b[2J",
          "\uFEFF",
          "\u00a0",
          "\u2028",
          "\u0661",
          "\u202e",
          "\ud83d\ude00",
          "é",
          "s",
          ".",
          "#".repeat(2000),
          "0,".repeat(2000),
          "\n".repeat(2000),
          " ".repeat(2000));

  private final List<byte[]> sound;
  private final ByteMutator bytes;

  TextMutator(byte[]... sound) {
    this.sound = List.of(sound);
    this.bytes = new ByteMutator(sound);
  }

  @Override
  public byte[] apply(RandomGenerator random) {
    if (random.nextInt(4) == 0) {
      return bytes.apply(random);
    }
    byte[] original = sound.get(random.nextInt(sound.size()));
    StringBuilder text = new StringBuilder(new String(original, StandardCharsets.UTF_8));
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(text.length() + 1);
      int end = Math.min(text.length(), at + random.nextInt(8));
      switch (random.nextInt(5)) {
        case 0 -> text.delete(at, end);
        case 1 -> text.insert(at, text.substring(at, end));
        case 2 -> text.replace(at, end, pick(random));
        case 3 -> line(text, random);
        default -> text.insert(at, pick(random));
      }
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Drops a line, or has it twice. */
  private static void line(StringBuilder text, RandomGenerator random) {
    int begin = text.lastIndexOf("\n", random.nextInt(text.length() + 1)) + 1;
    int end = text.indexOf("\n", begin) + 1;
    if (end <= begin) {
      return;
    }
    if (random.nextBoolean()) {
      text.delete(begin, end);
    } else {
      text.insert(end, text.substring(begin, end));
    }
  }

  private static String pick(RandomGenerator random) {
    return PIECES.get(random.nextInt(PIECES.size()));
  }
}
