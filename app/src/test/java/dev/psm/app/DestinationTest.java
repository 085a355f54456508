package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A path that cannot be written is refused before the work, by every command. */
class DestinationTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void aFile() throws IOException {
    file = Files.writeString(folder.resolve("taken"), "x");
  }

  /** What each command would read does not exist, so only a check at the door names its path. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "pretrain --env gridworld --out FILE/model",
        "pretrain --data nowhere --out FILE/run",
        "curves nowhere --out FILE/curves.svg",
        "curves nowhere --out FOLDER",
        "export nowhere --out FILE/model",
        "export nowhere --onnx FILE/model.onnx",
        "reproduce grids --map nowhere --out FILE/runs",
        "reproduce dmc --data nowhere --out FILE/runs",
        "reproduce ablation --data nowhere --out FILE/runs",
        "exact --mdp nowhere --reward nowhere --figure FILE/toy.svg",
        "exact --mdp nowhere --reward nowhere --figure toy.png",
        "env replay --env walker --in nowhere --out FOLDER",
        "env film walker --out FILE/film.gif",
        "collect --env walker --steps 1000 --out FILE/data",
        "collect --env walker --steps 1000 --out data --film FILE/film.gif",
        "dataset import nowhere --env walker --out FILE/data",
        "dataset relabel nowhere --reward 1 --out FILE/rewards.npz",
        "dataset relabel nowhere --reward 1 --out rewards.csv",
        "demo --out FILE/demo",
        "bundle --out FILE/bundle"
      })
  void everyCommandChecksWhereItWrites(String line) {
    String[] words =
        line.replace("FILE", file.toString()).replace("FOLDER", folder.toString()).split(" ");
    String option =
        Stream.of("--figure", "--film", "--onnx")
            .filter(line::contains)
            .findFirst()
            .orElse("--out");
    Cli.run((Object[]) words).refused(option + ": ");
    assertFalse(Files.exists(Path.of("data")));
  }

  @Test
  void theMistakesAreNamed() {
    assertTrue(refused(folder, ".gif").contains("must end in .gif"));
    assertTrue(refused(folder).contains("is a directory"));
    assertTrue(refused(file.resolve("a/b")).contains("because " + file + " is a file"));
    assertTrue(
        assertThrows(UserError.class, () -> Destination.folder("--out", file))
            .getMessage()
            .contains("is a file, not a folder"));
  }

  /** Its permissions say yes to an administrator, and no file can be made there all the same. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "evaluate ../models/fetchreach-psm --goals 2 --out /proc/x.json",
        "solve ../models/walker-psm --task run --film /proc/x.gif",
        "collect --env walker --steps 1000 --out /proc/f1",
      })
  void aFolderThatTakesNoFilesIsRefusedBeforeTheWork(String line) {
    Cli.Result refused =
        Cli.run((Object[]) line.split(" ")).refused(" /proc/", "choose another place");
    assertFalse(refused.err().contains("no such file"), refused.err());
    assertFalse(refused.err().contains("collect walker"), refused.err());
  }

  private static String refused(Path path, String... endings) {
    UserError error = assertThrows(UserError.class, () -> Destination.file("--out", path, endings));
    assertEquals(UserError.Kind.INVALID, error.kind());
    return error.getMessage();
  }

  @Test
  void whatCanBeMadeIsNeitherRefusedNorMade() {
    Destination.file("--out", folder.resolve("a/b/film.GIF"), ".gif");
    Destination.folder("--out", folder.resolve("a/b"));
    Destination.folder("--out", folder);
    Destination.file("--out", file);
    Destination.file("--out", Path.of("/dev/null"));
    Destination.file("--out", null, ".gif");
    Destination.folder("--out", null);
    assertFalse(Files.exists(folder.resolve("a")));
  }
}
