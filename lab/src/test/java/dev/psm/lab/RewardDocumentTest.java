package dev.psm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.env.Worlds;
import dev.psm.core.reward.formula.Formula;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RewardDocumentTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("^\\| (walker|cheetah|quadruped|maze|fetchreach|grid): .* \\| `(.*)` \\|$");

  @Test
  void everyExampleOfTheDocumentIsAFormula() throws IOException {
    int examples = 0;
    for (String line : Files.readAllLines(Path.of("../docs/reward-language.md"))) {
      Matcher matcher = EXAMPLE.matcher(line);
      if (matcher.matches()) {
        String env = matcher.group(1).equals("grid") ? "gridworld" : matcher.group(1);
        Formula.parse(matcher.group(2), Worlds.named(env).vocabulary());
        examples++;
      }
    }
    assertEquals(11, examples);
  }
}
