package dev.psm.core.mdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MdpJsonTest {
  private static final String TOY =
      """
      {"states": 2, "actions": 2, "discount": 0.9, "initial": [1, 0],
       "transitions": [
         {"state": 0, "action": 0, "next": [[1, 1.0]]},
         {"state": 0, "action": 1, "next": [[0, 1.0]]},
         {"state": 1, "action": 0, "next": [[0, 0.25], [1, 0.75]]},
         {"state": 1, "action": 1, "next": [[1, 1.0]]}]}
      """;

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("m.json"), text);
  }

  private String mdpError(String text) throws IOException {
    Path file = file(text);
    String message = assertThrows(UserError.class, () -> MdpJson.readMdp(file)).getMessage();
    assertTrue(message.startsWith(file.toString()), message);
    return message.substring(file.toString().length());
  }

  private String rewardError(String text) throws IOException {
    FiniteMdp mdp = MdpJson.readMdp(file(TOY));
    Path file = file(text);
    return assertThrows(UserError.class, () -> MdpJson.readReward(file, mdp))
        .getMessage()
        .substring(file.toString().length());
  }

  @Test
  void anMdpIsReadAsWritten() throws IOException {
    FiniteMdp mdp = MdpJson.readMdp(file(TOY));
    assertEquals(2, mdp.stateCount());
    assertEquals(0.9, mdp.discount());
    assertArrayEquals(new double[] {1, 0}, mdp.initial());
    assertEquals(5, mdp.entryCount());
    assertEquals(0.75, mdp.probability(mdp.rowStart(2) + 1));
  }

  @Test
  void theStartIsUniformWhenAbsent() throws IOException {
    FiniteMdp mdp = MdpJson.readMdp(file(TOY.replace("\"initial\": [1, 0],", "")));
    assertArrayEquals(new double[] {0.5, 0.5}, mdp.initial());
  }

  @Test
  void rewardsComeInThreeForms() throws IOException {
    FiniteMdp mdp = MdpJson.readMdp(file(TOY));
    double[] entering = MdpJson.readReward(file("{\"entering\": [4, 8]}"), mdp);
    assertArrayEquals(new double[] {8, 4, 7, 8}, entering);
    double[] leaving = MdpJson.readReward(file("{\"leaving\": [4, 8]}"), mdp);
    assertArrayEquals(new double[] {4, 4, 8, 8}, leaving);
    double[] pairs = MdpJson.readReward(file("{\"pairs\": [[1, 2], [3, 4]]}"), mdp);
    assertArrayEquals(new double[] {1, 2, 3, 4}, pairs);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "\"states\"|\"sates\"|: unknown key 'sates'; did you mean 'states'?",
        "\"states\": 2,||: key 'states' is missing",
        "\"states\": 2|\"states\": 2.5|, field states: expected a whole number from 1 to 1000000",
        "\"states\": 2|\"states\": 900000000000|, field states: expected a whole number from 1",
        "\"states\": 2|\"states\": 1000000|: at most 1000000 state-action pairs are read",
        "0.9|1.0|, field discount: discount must be at least 0 and less than 1",
        "0.9|1e999|, field discount: expected a finite number",
        "0.9|\"0.9\"|, field discount: expected a finite number, found \"0.9\"",
        "[1, 0],|[1],|, field initial: expected 2 numbers, found 1",
        "[1, 0],|[1, 1],|, field initial: the initial distribution must sum to 1, found 2.0",
        "0.75|0.7|, field transitions[2]: the probabilities of the transition from state 1",
        "[[0, 0.25]|[[5, 0.25]|, field transitions[2].next[0][0]: expected a whole number from 0",
        "[[0, 0.25]|[[0]|, field transitions[2].next[0]: expected [state, probability]",
        "[[0, 0.25]|[[1, 0.25]|, field transitions[2]: transition from state 1 by action 0 names",
        "\"next\": [[0, |\"nxt\": [[0, |, field transitions[1]: unknown key 'nxt'; did you mean",
        "\"state\": 1, \"action\": 1|\"state\": 1, \"action\": 0|, field transitions[3]: transition",
        "{\"state\": 0, \"action\": 0, \"next\": [[1, 1.0]]},||, field transitions: transition from",
      })
  void faultsAreToldAtTheirField(String what, String with, String expected) throws IOException {
    assertTrue(TOY.contains(what), what);
    String message = mdpError(TOY.replace(what, with == null ? "" : with));
    assertTrue(message.startsWith(expected), message);
  }

  @Test
  void textThatIsNotJsonIsToldAtItsPlace() throws IOException {
    assertTrue(mdpError("{\n \"states\": }").startsWith(", line 2, column 12: not valid JSON"));
    assertTrue(mdpError("{\"states\":1, \"states\":2}").contains("Duplicate"));
    assertTrue(mdpError(TOY + "{}").contains("not valid JSON"));
    assertTrue(mdpError("[]").startsWith(": expected an object"));
    assertTrue(mdpError("").startsWith(": expected a JSON document, found nothing"));
    assertTrue(mdpError("[".repeat(100_000)).contains("not valid JSON"));
    Path missing = folder.resolve("none.json");
    assertTrue(
        assertThrows(UserError.class, () -> MdpJson.readMdp(missing))
            .getMessage()
            .endsWith("none.json: there is no such file"));
  }

  @Test
  void faultyRewardsAreToldAtTheirField() throws IOException {
    assertTrue(rewardError("{\"reward\": [1, 2]}").startsWith(": unknown key 'reward'; known:"));
    assertTrue(rewardError("{}").startsWith(": expected exactly one of"));
    assertTrue(
        rewardError("{\"entering\":[1,2],\"leaving\":[1,2]}").contains("[entering, leaving]"));
    for (String large : List.of("\"entering\": [1e308, 0]", "\"pairs\": [[0, 1e308], [0, 0]]")) {
      String message = rewardError("{" + large + "}");
      assertTrue(message.startsWith(", field ") && message.contains("1.0E308"), message);
    }
    assertTrue(rewardError("{\"entering\": [1]}").startsWith(", field entering: expected 2"));
    assertTrue(
        rewardError("{\"pairs\": [[1, 2]]}").startsWith(", field pairs: expected a row for each"));
    assertTrue(
        rewardError("{\"pairs\": [[1, 2], [3, \"x\"]]}")
            .startsWith(", field pairs[1][1]: expected a finite number, found \"x\""));
  }
}
