package dev.psm.bench.fuzz;

import dev.psm.core.env.GridMap;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.MdpJson;
import dev.psm.lab.RewardFile;
import dev.psm.lab.run.PromptFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** What users write or bring along: prompts, rewards, maps, finite MDPs and bare tensors. */
final class UserFileTargets {
  private static final World MAZE = Worlds.named("maze");
  private static final GridMap MAP = GridMap.parse("fuzz", "....\n.#..\n....\n");
  private static final String OBSERVATION = "0.5, -1e-3 2 0.25";
  private static final String MDP =
      """
      {"states": 2, "actions": 2, "discount": 0.9, "initial": [1, 0],
       "transitions": [{"state": 0, "action": 0, "next": [[1, 1.0]]},
                       {"state": 0, "action": 1, "next": [[0, 0.5], [1, 0.5]]},
                       {"state": 1, "action": 0, "next": [[1, 1.0]]},
                       {"state": 1, "action": 1, "next": [[0, 1.0]]}]}
      """;
  private static final String GRID_REWARD =
      "{\"reward\": [[0, 1, 2, 3], [0.5, null, -1, 0], [0, 0, 0, 1e3]]}";

  private final Path folder;

  private UserFileTargets(Path folder) {
    this.folder = folder;
  }

  static List<FuzzTarget> texts(Path folder) {
    UserFileTargets files = new UserFileTargets(folder);
    String lines = "# a remark\n" + OBSERVATION + "\n" + OBSERVATION + " # another\n";
    FiniteMdp mdp = MdpJson.readMdp(files.write("sound.json", MDP));
    return List.of(
        files.text("goal.txt", OBSERVATION + "\n", file -> PromptFile.goal(file, MAZE)),
        files.text("demo.csv", lines, file -> PromptFile.demonstration(file, MAZE, 3)),
        files.text(
            "samples.csv", lines.replace("0.25", "0.25,7"), file -> PromptFile.samples(file, MAZE)),
        files.text(
            "reward.csv", "0,1,2,3\n.5,,-1,0\n0,0,0,1e3\n", file -> RewardFile.read(file, MAP)),
        files.text("map.txt", String.join("\n", MAP.lines()) + "\n", GridMap::read),
        files.json("reward.json", GRID_REWARD, file -> RewardFile.read(file, MAP)),
        files.json("mdp.json", MDP, MdpJson::readMdp),
        files.json(
            "pairs.json", "{\"pairs\": [[0, 1], [2, 3]]}", file -> MdpJson.readReward(file, mdp)),
        files.json(
            "entering.json", "{\"entering\": [0, 1]}", file -> MdpJson.readReward(file, mdp)));
  }

  static List<FuzzTarget> safetensors(Path folder) {
    Path file = folder.resolve("x.safetensors");
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    tensors.put("weight", TensorData.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3));
    tensors.put("steps", TensorData.of(new long[] {7}, 1));
    tensors.put("none", TensorData.of(new double[0], 0, 4));
    tensors.put("scalar", TensorData.of(new double[] {1}));
    Safetensors.write(file, tensors, Map.of("format", "fuzz"));
    Function<RandomGenerator, byte[]> damage = new SafetensorsMutator(FileTarget.contents(file));
    return List.of(
        new FileTarget("tensors that are read", file, damage, Safetensors::read),
        new FileTarget("tensors that are mapped", file, damage, Safetensors::map));
  }

  private FuzzTarget text(String name, String sound, Consumer<Path> reader) {
    return FileTarget.text(name, write(name, sound), reader);
  }

  private FuzzTarget json(String name, String sound, Consumer<Path> reader) {
    return FileTarget.json(name, write(name, sound), reader);
  }

  private Path write(String name, String text) {
    Path file = folder.resolve(name);
    FileTarget.write(file, text.getBytes(StandardCharsets.UTF_8));
    return file;
  }
}
