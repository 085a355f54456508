package dev.psm.core.env;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.psm.core.UserError;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WorldCheckTest {
  @Test
  void whatHoldsIsTakenAsItIs() {
    World boat = new Boat("");
    assertSame(boat, WorldCheck.checked(boat));
    Worlds.all().forEach(world -> assertSame(world, WorldCheck.checked(world)));
  }

  @ParameterizedTest
  @CsvSource({
    "title,'title() must give something, found null'",
    "actions,'actionSpace() must give something, found null'",
    "noActions,'the size of actionSpace() must be at least 1, found 0'",
    "noSteps,'episodeSteps() must be at least 1, found 0'",
    "fewerSteps,'episodeSteps() must be at least 1, found -3'",
    "state,'stateSize() must be at least 0, found -1'",
    "quantities,'quantities() must give something, found null'",
    "quantity,'quantities() has a null in its list'",
    "tasks,'tasks() must give something, found null'",
    "goal,'episodeGoal() must give something, found null'",
  })
  void whatWouldFailInTheMidstOfWorkIsRefused(String lie, String why) {
    String message =
        assertThrows(UserError.class, () -> WorldCheck.checked(new Boat(lie))).getMessage();
    assertEquals(
        "the world 'boat' of %s cannot be used: %s".formatted(Boat.class.getName(), why), message);
  }

  /** Which of its methods is wrong. */
  private record Boat(String lie) implements World {
    @Override
    public String name() {
      return "boat";
    }

    @Override
    public String title() {
      return lie.equals("title") ? null : "a boat";
    }

    @Override
    public int observationSize() {
      return 1;
    }

    @Override
    public Space actionSpace() {
      return lie.equals("actions")
          ? null
          : Space.Box.uniform(-1, 1, lie.equals("noActions") ? 0 : 1);
    }

    @Override
    public int episodeSteps() {
      return lie.equals("noSteps") ? 0 : lie.equals("fewerSteps") ? -3 : 5;
    }

    @Override
    public int stateSize() {
      return lie.equals("state") ? -1 : 0;
    }

    @Override
    public List<Quantity> quantities() {
      return lie.equals("quantities")
          ? null
          : Arrays.asList(lie.equals("quantity") ? null : new Quantity("heading", "", ""));
    }

    @Override
    public List<Task> tasks() {
      return lie.equals("tasks") ? null : List.of();
    }

    @Override
    public Optional<EpisodeGoal> episodeGoal() {
      return lie.equals("goal") ? null : Optional.empty();
    }

    @Override
    public Environment open() {
      throw new UnsupportedOperationException();
    }
  }
}
