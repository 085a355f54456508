package dev.psm.lab.collect;

import static dev.psm.lab.collect.Collecting.MAZE;
import static dev.psm.lab.collect.Collecting.TINY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.data.Dataset;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.WorkContext;
import dev.psm.torch.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Collections that change their device, as far as a machine without a GPU can tell. */
final class CollectionDeviceTest {
  @TempDir Path root;
  private final List<String> remarks = new ArrayList<>();

  private void collect(long steps) {
    Collection.byCuriosity(
        MAZE,
        new Collection.Plan(steps, 1, 1, 4),
        TINY,
        Device.CPU,
        root,
        new WorkContext(Progress.SILENT, remarks::add, () -> false));
  }

  private String device() {
    try (Dataset dataset = Dataset.open(root)) {
      return dataset.description().settings().path("device").asText("none");
    }
  }

  private void rewrite(String pattern, String replacement) throws IOException {
    Path manifest = root.resolve("dataset.json");
    String text = Files.readString(manifest);
    String changed = text.replaceFirst(pattern, replacement);
    assertTrue(!changed.equals(text), text);
    Files.writeString(manifest, changed);
  }

  @Test
  void theDeviceIsStoredAndTheSameOneNeedsNoRemark() {
    collect(1000);
    collect(2000);
    assertEquals("cpu", device());
    assertEquals(List.of(), remarks);
  }

  @Test
  void aCollectionFromBeforeDevicesGoesOnAsOneOfTheCpu() throws IOException {
    collect(1000);
    rewrite(",\\s*\"device\"\\s*:\\s*\"cpu\"", "");
    assertEquals("none", device());
    collect(2000);
    assertEquals("cpu", device());
    assertEquals(List.of(), remarks);
  }

  @Test
  void anotherDeviceGoesOnWithARemarkAndBothAreStored() throws IOException {
    collect(1000);
    rewrite("\"device\"\\s*:\\s*\"cpu\"", "\"device\" : \"cuda, tf32\"");
    collect(1000);
    assertEquals(List.of(), remarks, "nothing was to be done");
    collect(2000);
    assertEquals(1, remarks.size());
    assertTrue(
        remarks.get(0).contains("was collected on cuda, tf32 and goes on with cpu"),
        remarks.get(0));
    collect(3000);
    assertEquals(1, remarks.size());
    assertEquals("cuda, tf32, then cpu", device());
    assertEquals(3, Collecting.episodes(root).size());
  }
}
