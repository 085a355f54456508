package dev.psm.lab.run;

import static dev.psm.lab.run.TinyAgents.MAZE;
import static dev.psm.lab.run.TinyAgents.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.data.Dataset;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.numpy.NpzWriter;
import dev.psm.zeroshot.Prompt;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An observation of the maze has 4 numbers. */
class PromptFileTest {
  @TempDir private Path folder;

  private Path text(String content) throws IOException {
    return Files.writeString(folder.resolve("prompt.csv"), content);
  }

  /** As {@code np.save} writes it. */
  private Path npy(String type, String shape, double... values) throws IOException {
    String header =
        "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n".formatted(type, shape);
    int size = type.equals("<f8") ? 8 : 4;
    ByteBuffer bytes =
        ByteBuffer.allocate(10 + header.length() + size * values.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
            .putShort((short) header.length())
            .put(header.getBytes(StandardCharsets.US_ASCII));
    for (double value : values) {
      if (size == 8) {
        bytes.putDouble(value);
      } else {
        bytes.putFloat((float) value);
      }
    }
    return Files.write(folder.resolve("prompt.npy"), bytes.array());
  }

  @Test
  void aGoalIsReadFromEveryFormat() throws IOException {
    float[] goal = {0.5f, -1, 0, 2e-3f};
    for (String line :
        new String[] {
          "0.5,-1,0,2e-3",
          "\uFEFF0.5,-1,0,2e-3",
          "0.5, -1 ,0,\t2e-3\n",
          "# x y\n\n 0.5 -1\t0 0.002 # here\n",
          "0.5 , -1 0 2e-3"
        }) {
      assertArrayEquals(goal, PromptFile.goal(text(line), MAZE).observation(), line);
    }
    assertArrayEquals(
        goal, PromptFile.goal(npy("<f4", "(4,)", 0.5, -1, 0, 2e-3), MAZE).observation());
    assertArrayEquals(
        goal, PromptFile.goal(npy("<f8", "(1, 4)", 0.5, -1, 0, 2e-3), MAZE).observation());
    Path npz = folder.resolve("goal.NPZ");
    NpzWriter.deflated().add("observation", goal, 4).write(npz);
    assertArrayEquals(goal, PromptFile.goal(npz, MAZE).observation());
  }

  @Test
  void aDemonstrationKeepsItsOrder() throws IOException {
    float[] expected = {1, 2, 3, 4, 5, 6, 7, 8};
    Prompt.Demonstration demonstration =
        PromptFile.demonstration(text("1,2,3,4\n5,6,7,8\n"), MAZE, 3);
    assertArrayEquals(expected, demonstration.observations());
    assertEquals(3, demonstration.window());
    assertArrayEquals(
        expected,
        PromptFile.demonstration(npy("<f8", "(2, 4)", 1, 2, 3, 4, 5, 6, 7, 8), MAZE, 3)
            .observations());
  }

  @Test
  void samplesHaveTheirRewardsLastOrInAnArrayOfTheirOwn() throws IOException {
    Path npz = folder.resolve("samples.npz");
    float[] states = {1, 2, 3, 4, 5, 6, 7, 8};
    for (long[] shape : new long[][] {{2}, {2, 1}}) {
      NpzWriter.stored()
          .add("observation", states, 2, 4)
          .add("reward", new double[] {0.25, -9}, shape)
          .write(npz);
      Prompt.Samples samples = PromptFile.samples(npz, MAZE);
      assertArrayEquals(states, samples.observations());
      assertArrayEquals(new double[] {0.25, -9}, samples.rewards());
    }
    Prompt.Samples samples = PromptFile.samples(text("1,2,3,4,0.25\n5,6,7,8,-9"), MAZE);
    assertArrayEquals(states, samples.observations());
    assertArrayEquals(new double[] {0.25, -9}, samples.rewards());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|found no line at all",
        "# nothing|found no line at all",
        "1,2,3|line 1: expected 4 numbers, an observation of point_mass_maze, found 3",
        "# a;1,2,3,4,5|line 2: expected 4 numbers",
        "1,2,NaN,4|line 1, column 3: expected a finite decimal number, such as -1.5 or 2e-3, found 'NaN'",
        "1,2,1e60,4|line 1, column 3: expected a finite decimal number, such as -1.5 or 2e-3, found '1e60'",
        "x,y,u,v;1,2,3,4|line 1, column 1: expected a finite decimal number, such as -1.5 or 2e-3, found 'x'",
        "1,2f,3,4|line 1, column 2: expected a finite decimal number, such as -1.5 or 2e-3, found '2f'",
        "1,2,0x1p3,4|line 1, column 3: expected a finite decimal number",
        "1,2,3,Infinity|line 1, column 4: expected a finite decimal number",
        "1,,3,4|line 1, column 2: expected a finite decimal number, such as -1.5 or 2e-3, found ''",
        "1,2,3,4;1,2,3,4|a goal is one observation of 4 numbers, found 2"
      })
  void textIsRefusedAtItsPlace(String content, String word) throws IOException {
    Path file = text(content.replace(';', '\n'));
    refused(() -> PromptFile.goal(file, MAZE), "prompt.csv", word);
  }

  @Test
  void arraysOfTheWrongShapeAreRefused() throws IOException {
    String expected = "expected the shape (rows, 4) or (4,)";
    Path vector = npy("<f8", "(3,)", 1, 2, 3);
    refused(() -> PromptFile.goal(vector, MAZE), "prompt.npy", expected, "<f8(3,)");
    Path none = npy("<f4", "(0, 4)");
    refused(() -> PromptFile.demonstration(none, MAZE, 1), expected, "(0, 4)");
    Path cube = npy("<f4", "(1, 1, 4)", 1, 2, 3, 4);
    refused(() -> PromptFile.goal(cube, MAZE), expected);
    Path bad = npy("<f8", "(2, 4)", 1, 2, 3, 4, 5, Double.NaN, 7, 8);
    refused(() -> PromptFile.demonstration(bad, MAZE, 1), "row 1, column 1", "NaN");
    Path single = npy("<f8", "(4,)", 1, 2, 3, 4);
    refused(() -> PromptFile.demonstration(single, MAZE, 1), "at least 2 observations", "found 1");
    refused(() -> PromptFile.samples(single, MAZE), "prompt.npy", ".npz with 'observation'");
  }

  @Test
  void archivesMustHaveWhatIsAskedFor() {
    Path npz = folder.resolve("p.npz");
    float[] states = new float[8];
    NpzWriter.stored().add("obs", states, 2, 4).write(npz);
    refused(
        () -> PromptFile.demonstration(npz, MAZE, 1), "p.npz", "no array \"observation\"", "obs");
    NpzWriter.stored().add("observation", states, 2, 4).write(npz);
    refused(() -> PromptFile.samples(npz, MAZE), "no array \"reward\"");
    NpzWriter.stored().add("observation", states, 2, 4).add("reward", new double[3], 3).write(npz);
    refused(() -> PromptFile.samples(npz, MAZE), "one number for each of 2 observations", "(3,)");
    NpzWriter.stored()
        .add("observation", states, 2, 4)
        .add("reward", new double[] {0, Double.POSITIVE_INFINITY}, 2)
        .write(npz);
    refused(() -> PromptFile.samples(npz, MAZE), "'reward', row 1", "Infinity");
  }

  @Test
  void whatIsNoFileOrNoTextIsRefused() throws IOException {
    refused(() -> PromptFile.goal(folder.resolve("no.csv"), MAZE), "no.csv");
    refused(() -> PromptFile.goal(folder.resolve("no.npy"), MAZE), "no.npy");
    refused(
        () -> PromptFile.goal(folder, MAZE),
        "it is a directory; expected text, a name that ends in .npy or .npz, or a dataset's folder");
    Path binary = Files.write(folder.resolve("x.bin"), new byte[] {(byte) 0xff, 0, (byte) 0xfe});
    refused(() -> PromptFile.goal(binary, MAZE), "x.bin: it is not UTF-8 text");
    Path empty = Files.write(folder.resolve("e.npz"), new byte[0]);
    refused(() -> PromptFile.goal(empty, MAZE), "e.npz");
  }

  @Test
  void aDatasetHasGoalsAndDemonstrations() {
    Path data = folder.resolve("data");
    TinyAgents.collect(MAZE, data);
    try (Dataset dataset = Dataset.open(data)) {
      Prompt.Demonstration second = PromptData.demonstration(data, 1, MAZE, 4);
      assertArrayEquals(dataset.episode(1).observations(), second.observations());
      assertArrayEquals(dataset.episode(1).physics(), second.physics().orElseThrow());
      assertArrayEquals(
          Arrays.copyOf(second.observations(), 4),
          PromptData.goal(data, dataset.firstRow(1), MAZE).observation());
    }
    refused(() -> PromptData.demonstration(data, 2, MAZE, 4), "episodes 0 to 1", "no episode 2");
    refused(() -> PromptData.goal(data, 2002, MAZE), "rows 0 to 2001", "no row 2002");
    refused(() -> PromptData.goal(data, -1, MAZE), "no row -1");
    World walker = Worlds.named("walker");
    refused(() -> PromptData.goal(data, 0, walker), "holds data of point_mass_maze", "walker");
  }
}
