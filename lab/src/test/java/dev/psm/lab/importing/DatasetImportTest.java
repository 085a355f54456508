package dev.psm.lab.importing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.io.numpy.NpzWriter;
import dev.psm.lab.Progress;
import io.jhdf.HdfFile;
import io.jhdf.WritableHdfFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DatasetImportTest {
  @TempDir Path root;
  private Importing importing;

  @BeforeEach
  void prepare() {
    importing = new Importing(root);
  }

  private Path ogbench(int observation, int action) {
    Path file = root.resolve("data.npz");
    NpzWriter.stored()
        .add("observations", new float[3 * observation], 3, observation)
        .add("actions", new float[3 * action], 3, action)
        .add("terminals", new float[3], 3)
        .write(file);
    return file;
  }

  private Path d4rl(String name) {
    Path file = root.resolve(name);
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      hdf5.putDataset("observations", new float[4][2]);
      hdf5.putDataset("actions", new float[4][1]);
      hdf5.putDataset("terminals", new boolean[4]);
      hdf5.putDataset("timeouts", new boolean[4]);
    }
    return file;
  }

  @Test
  void whereItCameFromIsWrittenDown() {
    Path source = ogbench(3, 1);
    importing.run(source, null, "antmaze-large");
    try (Dataset dataset = Dataset.open(importing.out())) {
      assertEquals("antmaze-large", dataset.description().environment());
      assertEquals("ogbench", dataset.description().collector());
      assertEquals("unknown", dataset.description().engine());
      assertEquals(source.toString(), dataset.description().settings().path("source").asText());
    }
  }

  @Test
  void anEnvironmentOfOursMustHaveItsSizes() {
    assertEquals(2, importing.run(ogbench(24, 6), null, "walker").transitions());
    importing = new Importing(root.resolve("more"));
    importing.refusedFor(
        "walker", ogbench(23, 6), null, "walker has 24 numbers per observation, found 23");
    importing.refusedFor(
        "walker", ogbench(24, 5), null, "walker has 6 numbers per action, found 5");
    Path file = root.resolve("physics.npz");
    NpzWriter.stored()
        .add("observations", new float[12], 3, 4)
        .add("actions", new float[6], 3, 2)
        .add("terminals", new float[3], 3)
        .add("qpos", new float[9], 3, 3)
        .add("qvel", new float[6], 3, 2)
        .write(file);
    importing.refusedFor(
        "point_mass_maze", file, null, file.toString(), "4 numbers per physics, found 5");
    assertEquals(5, importing.run(file, null, "maze of mine").columns().physics());
  }

  @Test
  void anExistingFolderIsNeverTouched() throws IOException {
    Path source = ogbench(3, 1);
    Path mine = Files.createDirectories(importing.out());
    Files.writeString(mine.resolve("notes.txt"), "mine");
    UserError error = assertThrows(UserError.class, () -> importing.run(source, null, "elsewhere"));
    assertTrue(
        error
            .getMessage()
            .contains(mine + " is not a dataset but holds other files, such as notes.txt"),
        error.getMessage());
    assertEquals("mine", Files.readString(mine.resolve("notes.txt")));
  }

  @Test
  void actionsOutsideOfTheRangeAreRefusedByRowAndValue() {
    Path file = root.resolve("wild.npz");
    float[] actions = new float[3 * 6];
    actions[7] = 7;
    NpzWriter.stored()
        .add("observations", new float[3 * 24], 3, 24)
        .add("actions", actions, 3, 6)
        .add("terminals", new float[] {0, 0, 1}, 3)
        .write(file);
    importing.refusedFor(
        "walker",
        file,
        null,
        file.toString(),
        "episode 0: column 'action', row 2 holds 7.0, expected a number from -1.0 to 1.0");
    assertEquals(2, importing.run(file, null, "elsewhere").transitions());
  }

  private void refusedNames(String expected, String... names) {
    Path source = ogbench(3, 1);
    UserError error =
        assertThrows(UserError.class, () -> importing.run(source, null, "elsewhere", names));
    assertEquals(UserError.Kind.INVALID, error.kind());
    assertTrue(error.getMessage().contains(expected), error.getMessage());
    importing.assertNothingLeft();
  }

  @Test
  void columnsHaveTheNamesThatAreGiven() {
    importing.run(ogbench(3, 1), null, "elsewhere", "height", "speed", "angle");
    StoredWorld world = (StoredWorld) importing.world();
    assertEquals("speed", world.quantities().get(1).name());
    assertTrue(world.quantitiesObserved());
    assertEquals(2, world.episodeSteps());
  }

  @Test
  void columnsWithoutNamesAreNumbered() {
    importing.run(ogbench(3, 1), null, "elsewhere");
    assertEquals("o2", importing.world().quantities().get(2).name());
  }

  @Test
  void namesThatCannotBeAreTold() {
    refusedNames("names: expected 3 names, one for each number", "a", "b");
    refusedNames("the name 'a' is there twice", "a", "b", "a");
    refusedNames("'min' is a word of the reward language", "a", "min", "b");
    refusedNames("'2nd' cannot be a name in a reward", "a", "2nd", "b");
    Path walker = ogbench(24, 6);
    UserError error =
        assertThrows(UserError.class, () -> importing.run(walker, null, "walker", "a", "b"));
    assertTrue(error.getMessage().contains("has its names; leave them out"), error.getMessage());
    assertEquals(Optional.of(Remedy.LIST_REWARDS), error.remedy());
    assertEquals(Optional.of("walker"), error.subject());
  }

  @Test
  void aKnownWorldIsDescribedToo() {
    importing.run(ogbench(24, 6), null, "walker");
    try (Dataset dataset = Dataset.open(importing.out())) {
      StoredWorld described = dataset.description().stored().orElseThrow();
      assertEquals(dataset.description().world().quantities(), described.quantities());
      assertEquals(4, described.tasks().size());
    }
  }

  @Test
  void whatLiesBesideIsLeftAlone() throws IOException {
    Path source = ogbench(3, 1);
    Path stranger = importing.out().resolveSibling(".imported.importing");
    Files.createDirectories(stranger);
    Files.writeString(stranger.resolve("notes.txt"), "mine");
    assertEquals(1, importing.run(source, null, "elsewhere").episodes());
    assertEquals("mine", Files.readString(stranger.resolve("notes.txt")));
  }

  @Test
  void anImportThatIsInterruptedLeavesNothing() {
    Path source = ogbench(3, 1);
    Progress stop =
        (label, total) -> {
          throw new IllegalStateException("stopped");
        };
    assertThrows(
        IllegalStateException.class,
        () -> DatasetImport.run(source, null, "elsewhere", List.of(), importing.out(), stop));
    importing.assertNothingLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.hdf5", "a.h5", "A.HDF5"})
  void hdf5IsKnownByItsName(String name) {
    assertEquals("d4rl", importing.run(d4rl(name), null, "elsewhere").format());
  }

  @Test
  void theFormatCanBeSaid() {
    assertEquals("d4rl", importing.run(d4rl("data.bin"), "d4rl", "elsewhere").format());
  }

  @Test
  void theFormatIsAskedForWhereTheLookDoesNotTell() throws IOException {
    Path file = Files.writeString(root.resolve("data.bin"), "?");
    importing.refused(file, null, file.toString(), "format: ", "say what it is");
    importing.refused(file, "ogbnch", "expected one of exorl, ogbench", "'ogbnch'", "ogbench");
    importing.refused(root.resolve("nowhere"), null, "nowhere: no such file or folder");
  }

  @Test
  void anotherFormatsFileIsRefused() {
    importing.refused(ogbench(3, 1), "d4rl", "data.npz", "HDF5");
    importing.refused(d4rl("a.h5"), "ogbench", "a.h5");
    importing.refused(d4rl("a.h5"), "minari", "a.h5 has no array 'episode_0/observations'");
    importing.refused(root, "d4rl", root + ": no such file");
  }

  @ParameterizedTest
  @CsvSource({"d4rl", "minari"})
  void textIsNotHdf5(String format) throws IOException {
    Path file = Files.write(root.resolve("data.hdf5"), "some text\n".repeat(300).getBytes(UTF_8));
    importing.refused(file, null, file + " cannot be read as HDF5");
    importing.refused(file, format, file + " cannot be read as HDF5");
    Files.write(file, new byte[0]);
    importing.refused(file, format, file + " cannot be read as HDF5");
  }

  @Test
  void aFileCutShortIsRefusedWhereverTheCutIs() throws IOException {
    Path file = d4rl("data.hdf5");
    byte[] sound = Files.readAllBytes(file);
    for (int length = 0; length < sound.length; length += 7) {
      Files.write(file, Arrays.copyOf(sound, length));
      importing.refused(file, null, file.toString());
    }
    Files.write(file, Arrays.copyOf(sound, sound.length - 1));
    importing.refused(
        file, null, "cut short, at %d of %d bytes".formatted(sound.length - 1, sound.length));
  }

  /** Whatever the damage, it ends in a dataset or in words. */
  @Test
  void aDamagedFileNeverEndsInAnythingButWords() throws IOException {
    Path file = d4rl("data.hdf5");
    byte[] sound = Files.readAllBytes(file);
    Random random = new Random(3);
    for (int i = 0; i < 100; i++) {
      byte[] damaged = sound.clone();
      damaged[random.nextInt(sound.length)] ^= (byte) (1 + random.nextInt(255));
      Files.write(file, damaged);
      Importing fresh = new Importing(root.resolve("try " + i));
      try {
        fresh.run(file, "d4rl", "elsewhere");
      } catch (UserError e) {
        assertTrue(e.getMessage().startsWith(file.toString()), e.getMessage());
        fresh.assertNothingLeft();
      }
    }
  }
}
