package dev.psm.lab.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.reward.Task;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskFileTest {
  private static final World WALKER = Worlds.named("walker");
  @TempDir private Path folder;

  private Path file(String... lines) throws IOException {
    return Files.writeString(folder.resolve("tasks.txt"), String.join("\n", lines));
  }

  private static List<String> names(List<Task> tasks) {
    return tasks.stream().map(Task::name).toList();
  }

  @Test
  void aLineIsANamedFormulaAFormulaOrATaskOfTheEnvironment() throws IOException {
    Path file =
        file(
            "# remarks",
            "",
            "  slow-walk :  clip(velocity_x, 0, 1)   # up to 1 m/s",
            "upright > 0.5 ? velocity_x : 0",
            "run");
    List<Task> tasks = TaskList.of("all", file, WALKER);
    assertEquals(List.of("slow-walk", "upright > 0.5 ? velocity_x : 0", "run"), names(tasks));
    assertEquals("clip(velocity_x, 0, 1)", tasks.get(0).formula());
    assertEquals(1, tasks.get(0).reward(quantity -> 3));
    assertEquals(WALKER.task("run"), tasks.get(2));
  }

  @Test
  void namesOfTheFileAreChosenBesideOthers() throws IOException {
    Path file = file("jog: clip(velocity_x, 0, 1)", "rest-now: -velocity_x^2");
    assertEquals(
        List.of("rest-now", "walk", "upright", "jog"),
        names(TaskList.of("rest-now, walk, upright, jog", file, WALKER)));
    refused("jgo", file, "has no task 'jgo', nor has walker", "did you mean 'jog'?");
    refused("rest-nwo", file, "did you mean 'rest-now'?");
    refused("jog, jog", file, "'jog' is named twice");
    refused("jog, clip(velocity_x)", file, "clip");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fast: upright * velocty_x|column 17|did you mean 'velocity_x'?",
        "upright * velocty_x|column 11|did you mean 'velocity_x'?",
        "wlak|no quantity or task 'wlak'|did you mean 'walk'?",
        "fast:|formula is empty|",
        "first: upright|'first' is named twice|",
        "walk: upright|'walk' is taken|choose another",
        "all: upright|'all' is taken|choose another",
        "upright: velocity_x|'upright' is taken|choose another",
        "pi: velocity_x|'pi' is taken|choose another",
        "average: upright|'average' is taken|choose another",
        "2nd: upright|begins with a letter|found '2nd'"
      })
  void aBadLineIsNamed(String line, String word, String other) throws IOException {
    Path file = file("# remark", "first: upright", line);
    refused("all", file, file + ", line 3: ", word, other == null ? "" : other);
  }

  @Test
  void theMarkIsBelowTheMistakeInTheLine() throws IOException {
    UserError error = refused("all", file("fast: velocity_x + velocty_x"), "line 1");
    List<String> shown = error.getMessage().lines().toList();
    assertEquals(2 + "fast: velocity_x + ".length(), shown.get(2).indexOf('^'));
  }

  @Test
  void aFileWithoutTasksIsRefused() throws IOException {
    refused("all", file("# nothing", ""), "tasks.txt", "name: formula", "found none");
    refused("all", folder.resolve("missing.txt"), "missing.txt");
    refused("all", folder, folder.toString());
    Path binary = folder.resolve("binary.txt");
    Files.write(binary, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    refused("all", binary, "binary.txt", "not UTF-8 text");
    Files.write(binary, "\u00e9: upright".getBytes(StandardCharsets.UTF_8));
    refused("all", binary, "line 1", "letters");
  }

  private static UserError refused(String tasks, Path file, String... words) {
    UserError error = assertThrows(UserError.class, () -> TaskList.of(tasks, file, WALKER));
    for (String word : words) {
      assertTrue(error.getMessage().contains(word), error.getMessage());
    }
    assertEquals(UserError.Kind.INVALID, error.kind(), error.getMessage());
    return error;
  }
}
