package dev.psm.studio.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.agents.Agents;
import dev.psm.core.env.GridMap;
import dev.psm.studio.ModelShelf;
import dev.psm.studio.SmallRuns;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents that the page asks to be pretrained. */
@Tag("slow")
class GridPretrainingTest {
  @TempDir private Path folder;

  @Test
  void stoppedOneGoesOnWhereItWasAndIsThenOnTheShelf() throws InterruptedException {
    try (ModelShelf shelf = new ModelShelf();
        GridPretraining pretraining = new GridPretraining(shelf, folder, () -> {})) {
      var psm = Agents.named("psm", SmallRuns.ROOM);
      pretraining.ask(SmallRuns.ROOM, psm);
      pretraining.ask(SmallRuns.ROOM, psm);
      assertEquals(1, pretraining.describe().size(), "what is under way is not begun twice");
      await(pretraining, 1, job -> job.get("done").asLong() > 20);
      assertTrue(pretraining.stop(1));
      JsonNode stopped = await(pretraining, 1, job -> job.get("state").asText().equals("stopped"));
      long done = stopped.get("done").asLong();
      assertTrue(done < stopped.get("total").asLong());
      assertTrue(shelf.entries().isEmpty());

      pretraining.ask(SmallRuns.ROOM, psm);
      JsonNode first = await(pretraining, 2, job -> job.get("done").asLong() > 0);
      assertTrue(first.get("done").asLong() > done, "it goes on after step " + done);
      JsonNode ended = await(pretraining, 2, job -> job.get("state").asText().equals("done"));
      assertEquals("psm", ended.get("model").asText());
      assertEquals(1, shelf.entries().size());
      assertTrue(AgentFolder.isRun(Path.of(ended.get("folder").asText())));

      pretraining.ask(SmallRuns.ROOM, psm);
      await(pretraining, 3, job -> job.get("state").asText().equals("done"));
      assertEquals(1, shelf.entries().size(), "what is finished is only taken");
      assertEquals(1, pretraining.describe().size());
    }
  }

  @Test
  void mapsOfOneNameHaveFoldersOfTheirOwn() {
    try (ModelShelf shelf = new ModelShelf();
        GridPretraining pretraining = new GridPretraining(shelf, folder, () -> {})) {
      var psm = Agents.named("psm", SmallRuns.ROOM);
      assertEquals(
          folder.resolve("gridworld").resolve("psm"),
          pretraining.runFolder(GridMap.named("gridworld"), psm));
      Path one = pretraining.runFolder(GridMap.parse("gridworld", "..."), psm);
      Path other = pretraining.runFolder(GridMap.parse("gridworld", "...."), psm);
      assertTrue(!one.equals(other) && one.startsWith(folder) && other.startsWith(folder));
      Path odd = pretraining.runFolder(GridMap.parse("../../etc", "..."), psm);
      assertTrue(odd.normalize().startsWith(folder), odd::toString);
    }
  }

  private static JsonNode await(GridPretraining all, int number, Predicate<JsonNode> wanted)
      throws InterruptedException {
    for (int tries = 0; tries < 1200; tries++) {
      JsonNode job = all.describe().get(0);
      assertEquals(number, job.get("job").asInt(), "one job is told of a run, the latest");
      if (wanted.test(job)) {
        return job;
      }
      assertTrue(!job.has("error"), () -> job.get("error").asText());
      Thread.sleep(50);
    }
    throw new AssertionError("waited in vain; it is " + all.describe());
  }
}
