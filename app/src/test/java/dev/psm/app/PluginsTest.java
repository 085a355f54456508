package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Worlds that psm has never heard of before a command names their folder. */
class PluginsTest {
  private static final Path EXAMPLE = Path.of("../examples/pendulum/src/main");
  private static final Path MOUNTAIN_CAR = Path.of("../examples/mountaincar/src/main");

  /** What a world needs beyond its name. */
  private static final String WORLD =
      """
      import dev.psm.core.env.*;
      import dev.psm.core.reward.*;
      import java.util.*;
      import java.util.random.RandomGenerator;
      public class %s implements World {
        %s
        public String title() { return "made for a test"; }
        public int observationSize() { return 1; }
        public Space actionSpace() { return Space.Box.uniform(-1, 1, 1); }
        public int episodeSteps() { return 10; }
        public List<Quantity> quantities() { return List.of(new Quantity("x", "m", "a place")); }
        public Environment open() {
          return new Environment() {
            public float[] reset(RandomGenerator random) { return new float[1]; }
            public Step step(float[] action) { throw new IllegalStateException("out of order"); }
            public double get(Quantity quantity) { return 0; }
          };
        }
      }
      """;

  private static final String NAMED = "public String name() { return \"broken\"; }";

  @TempDir private Path folder;

  @Test
  @Tag("slow")
  void everyCommandTakesTheWorldByItsName() throws Exception {
    Path plugin = example();
    String data = folder.resolve("data").toString();
    String run = folder.resolve("run").toString();
    String option = "--plugins=" + plugin;
    run("", option, "env", "list").has("pendulum: a pendulum to swing up");
    run(plugin.toString(), "env", "list", "pendulum").has("angle", "velocity");
    run("", "reward", "check", "pendulum", "cos(angle)", option).has("1,000 states");
    run("", "collect", "--env=pendulum", "--policy=wander", "--steps=3200", "--out", data, option)
        .has("3,200 steps");
    run(
            "",
            option,
            "pretrain",
            "--data",
            data,
            "--out",
            run,
            "--steps=20",
            "width=16",
            "featureWidth=16",
            "featureDimension=8",
            "batchSize=16")
        .has("20 of 20 gradient steps");
    run(plugin.toString(), "solve", run, "--reward", "cos(angle)").has("return");
    run("", "evaluate", run, "--tasks", "abs(angle) < 0.3", option).has("abs(angle) < 0.3");
    OwnProcess without = run("", "solve", run, "--reward", "cos(angle)");
    assertEquals(0, without.code(), "a model knows its world's quantities: " + without.text());
    assertTrue(without.text().contains("solved, but not played"), without.text());
    OwnProcess noTasks = run(plugin.toString(), "evaluate", run);
    assertEquals(2, noTasks.code(), noTasks.text());
    assertTrue(noTasks.text().contains("pendulum has no tasks of its own"), noTasks.text());
  }

  /** Its actions are numbered, and a goal is one of its two observed numbers. */
  @Test
  @Tag("slow")
  void aWorldWithNumberedActionsAndGoalsOfPositionsIsLearned() throws Exception {
    String name = "MountainCar";
    Path source = MOUNTAIN_CAR.resolve("java/org/example/mountaincar/MountainCar.java");
    String car = Files.readString(source);
    Path plugin = compile(car, name);
    register(plugin, "org.example.mountaincar.MountainCar");
    String option = "--plugins=" + plugin;
    String data = folder.resolve("data").toString();
    String run = folder.resolve("run").toString();
    run("", option, "env", "list", "mountaincar").has("3 numbered", "flag", "left_hill", "height");
    run(
            "",
            option,
            "collect",
            "--env=mountaincar",
            "--policy=random",
            "--steps=2000",
            "--out",
            data)
        .has("2,000 steps");
    run("", option, "dataset", "check", data).has("this engine's own data");
    run(
            "",
            option,
            "pretrain",
            "--data",
            data,
            "--out",
            run,
            "--steps=10",
            "meshRows=8",
            "meshColumns=8",
            "width=8",
            "coordinateWidth=8",
            "basisDimension=4",
            "enrichedCodes=4")
        .has("10 of 10 gradient steps");
    run("", option, "solve", run, "--goal", "0.5").has("distance at end", "deviations");
    run("", option, "solve", run, "--goal", "0.5,0").has("distance at end");
    run("", option, "solve", run, "--reward", "position >= 0.5 ? 1 : 0").has("return");
    run("", option, "evaluate", run, "--episodes=1").has("flag", "rest", "left_hill");
    // The model knows itself what its goals speak of.
    run("", "solve", run, "--goal", "0.5").has("solved, but not played", "known by its data alone");
    OwnProcess undrawn =
        run("", option, "solve", run, "--goal", "0.5", "--film", folder + "/film.gif");
    assertEquals(2, undrawn.code(), undrawn.text());
    assertTrue(undrawn.text().contains("no scenery"), undrawn.text());
    assertFalse(undrawn.text().contains("distance at end"), undrawn.text());
    OwnProcess unknown =
        run("", "pretrain", "--data", data, "--out", folder + "/other", "--steps=10");
    assertEquals(2, unknown.code(), unknown.text());
    assertTrue(unknown.text().contains("holds states of 'mountaincar'"), unknown.text());
    Path speeds = compile(car.replace("new int[] {0}", "new int[] {1}"), name);
    register(speeds, "org.example.mountaincar.MountainCar");
    String refusal =
        "'mountaincar' is described with goals of the numbers [0], but the environment of that name"
            + " has [1] here";
    for (String[] command :
        new String[][] {
          {"solve", run, "--goal", "0.5"},
          {"evaluate", run},
          {"pretrain", "--out", run, "--resume", "--steps=20"},
          {"collect", "--env=mountaincar", "--policy=random", "--steps=4000", "--out", data}
        }) {
      OwnProcess said = run(speeds.toString(), command);
      assertEquals(2, said.code(), said.text());
      assertTrue(said.text().contains(refusal), said.text());
    }
  }

  @Test
  void theWorldOfTheDocumentationIsOne() throws Exception {
    String page = Files.readString(Path.of("../docs/your-own-world.md"));
    String begin = "```java\n";
    int at = page.indexOf(begin) + begin.length();
    String cart = page.substring(at, page.indexOf("```", at));
    Path plugin = plugin("Cart", cart);
    String data = folder.resolve("data").toString();
    run(plugin.toString(), "collect", "--env=cart", "--policy=random", "--steps=400", "--out", data)
        .has("cart: ");
    run(plugin.toString(), "dataset", "check", data).has("this engine's own data");

    // Stored states are optional.
    String stateless = cart.replace("stateSize() { return 2; }", "stateSize() { return 0; }");
    plugin = plugin("Cart", stateless);
    data = folder.resolve("stateless").toString();
    run(plugin.toString(), "collect", "--env=cart", "--policy=random", "--steps=400", "--out", data)
        .has("cart: ");
    run(plugin.toString(), "dataset", "check", data)
        .has("not replayed: 'cart' keeps no state from which it could go on");
  }

  /** The page's second world, with what it says is as in the first. */
  @Test
  @Tag("slow")
  void theFiniteWorldOfTheDocumentationIsLearnedWithoutData() throws Exception {
    String page = Files.readString(Path.of("../docs/your-own-world.md"));
    String begin = "```java\n";
    int at = page.indexOf(begin, page.indexOf("## A world of few states")) + begin.length();
    String source =
        page.substring(at, page.indexOf("```", at))
            .replaceFirst("  // name, title[^}]*", MACHINE_REST)
            .replaceFirst("public final class", "import java.util.*;\n$0");
    source = "import dev.psm.core.env.*;\nimport dev.psm.core.reward.*;\n" + source;
    String plugin = plugin("Machine", source).toString();
    String run = folder.resolve("run").toString();
    run(
            plugin,
            "pretrain",
            "--env=machine",
            "--out",
            run,
            "--steps=60",
            "basisDimension=4",
            "enrichedCodes=4",
            "coordinateWidth=16")
        .has("wrong actions, over all goals", "--goal 9");
    run(plugin, "solve", run, "--reward", "wear < 3").has("state 9: 1");
    run(plugin, "solve", run, "--goal", "5").has("(the goal)");
    run(plugin, "evaluate", run).has("10 goals solved");
    run(plugin, "exact", "--env=machine", "--reward", "wear < 3")
        .has("10 states × 2 actions", "state 1: 0", "state 2: 1");
    run(plugin, "exact", "--env=machine", "--goal", "5").has("(the goal)");
    OwnProcess without = run("", "solve", run, "--goal", "5");
    assertEquals(2, without.code(), without.text());
    assertTrue(
        without.text().contains("add the plugin or the file that it comes from"), without.text());
  }

  private static final String MACHINE_REST =
      """
        public String name() { return "machine"; }
        public String title() { return "a machine that wears out"; }
        public int observationSize() { return 1; }
        public Space actionSpace() { return new Space.Discrete(2); }
        public int episodeSteps() { return 50; }
        public List<Quantity> quantities() { return List.of(WEAR); }
        public Environment open() { throw new UnsupportedOperationException(); }
      """;

  @Test
  void aFaultInAPluginIsNotPsms() throws Exception {
    Path plugin = plugin("Failing", WORLD.formatted("Failing", NAMED));
    OwnProcess said = run(plugin.toString(), "env", "random", "broken", "--episodes", "1");
    assertEquals(1, said.code(), said.text());
    assertTrue(said.text().contains("psm: a plugin failed in Failing"), said.text());
    assertFalse(said.text().contains("fault in psm"), said.text());
    String endless = WORLD.formatted("Endless", NAMED);
    // Where it ends may be in a class of Java's.
    plugin =
        plugin(
            "Endless",
            endless.replace("return new float[1]", "return List.of(reset(random)).get(0)"));
    said = run(plugin.toString(), "env", "random", "broken", "--episodes", "1");
    assertEquals(1, said.code(), said.text());
    assertTrue(
        said.text()
            .matches(
                "psm: a plugin failed in Endless\\S*, please report it to its author: methods call"
                    + " each other without end, the last in .*Endless.*"),
        said.text());
  }

  /** Its code would pass for that of work that is done, and the work waits for its thread. */
  @Test
  void aPluginThatEndsTheProcessIsToldAndNoSuccess() throws Exception {
    String quitter = WORLD.formatted("Quitter", NAMED);
    quitter = quitter.replace("throw new IllegalStateException(\"out of order\")", QUITS);
    String plugin = plugin("Quitter", quitter).toString();
    for (String[] command :
        new String[][] {
          {"env", "random", "broken", "--episodes=1"},
          {
            "collect",
            "--env=broken",
            "--policy=random",
            "--steps=100",
            "--out=" + folder.resolve("data")
          }
        }) {
      OwnProcess said = run(plugin, command);
      assertEquals(1, said.code(), said.text());
      assertTrue(said.text().contains("Quitter$1.step(Quitter.java:"), said.text());
      assertTrue(
          said.text().contains("ended the process by System.exit before the command was done"),
          said.text());
      assertFalse(said.text().contains("stopping"), said.text());
    }
  }

  private static final String QUITS = "System.exit(0); return null";

  @Test
  void aWorldThatDoesNotDoWhatItSaysIsNamed() throws Exception {
    String data = folder.resolve("data").toString();
    String wide =
        WORLD.formatted("Wide", NAMED).replace("return new float[1]", "return new float[2]");
    OwnProcess said =
        run(
            plugin("Wide", wide).toString(),
            "collect",
            "--env=broken",
            "--policy=random",
            "--steps=100",
            "--out",
            data);
    assertEquals(2, said.code(), said.text());
    assertEquals(
        "psm: world broken: expected 1 number from reset() of Wide$1, found 2; correct its class",
        said.text());
    String never = WORLD.formatted("Never", NAMED).replace("return 10;", "return 0;");
    refused(plugin("Never", never), "'broken' of Never", "episodeSteps()", "found 0");
  }

  @Test
  void whatIsNoPluginIsRefused() throws IOException {
    Cli.run("env", "list", "--plugins", folder.resolve("missing")).refused("missing", "nothing");
    Path cut = Files.createDirectory(folder.resolve("jars")).resolve("cut.jar");
    Files.writeString(cut, "PK\3\4 and no more");
    Cli.run("env", "list", "--plugins", cut).refused("cut.jar cannot be read as a jar");
    Cli.run("--plugins", folder, "env", "list").refused(folder.toString(), "META-INF/services");
  }

  @Test
  void aWorldWithNothingToChooseIsRefused() throws Exception {
    String vectors = "Space.Box.uniform(-1, 1, 1)";
    String idle = WORLD.formatted("Idle", NAMED);
    refused(
        plugin("Idle", idle.replace(vectors, "new Space.Discrete(0)")),
        "'broken' of Idle",
        "at least one element");
    refused(
        plugin("Idle", idle.replace(vectors, "new Space.Discrete(1)")),
        "'broken' of Idle",
        "nothing to choose");
  }

  @Test
  void aMissingClassIsNamed() throws Exception {
    Path plugin = Files.createDirectory(folder.resolve("plugin"));
    register(plugin, "org.example.Nowhere");
    refused(plugin, "org.example.Nowhere", "not found", "META-INF/services");
  }

  @Test
  void aConstructorThatThrowsIsTold() throws Exception {
    String constructor = "public Sick() { throw new IllegalStateException(\"no map found\"); }";
    Path plugin = plugin("Sick", WORLD.formatted("Sick", constructor + NAMED));
    refused(plugin, "Sick", "could not be instantiated", "no map found");
  }

  @Test
  void aNameIsTakenOnce() throws Exception {
    String name = "public String name() { return \"gridworld\"; }";
    Path plugin = plugin("Second", WORLD.formatted("Second", name));
    refused(plugin, "two worlds are called 'gridworld'", "Second");
  }

  @Test
  void aNameThatCannotBeToldIsRefused() throws Exception {
    String name = "public String name() { throw new IllegalStateException(\"nameless\"); }";
    Path plugin = plugin("Nameless", WORLD.formatted("Nameless", name));
    refused(plugin, "Nameless", "nameless");
  }

  @Test
  void classesOfANewerJavaAreRefused() throws Exception {
    Path plugin = plugin("Future", WORLD.formatted("Future", NAMED));
    Path compiled = plugin.resolve("Future.class");
    byte[] bytes = Files.readAllBytes(compiled);
    bytes[7] = 99;
    Files.write(compiled, bytes);
    refused(plugin, "newer Java", "Future", "--release 17");
  }

  @Test
  void aClassThatIsNeededAndNotThereIsNamed() throws Exception {
    String needy = WORLD.replace("implements World", "extends Helper implements World");
    Path plugin = plugin("Needy", needy.formatted("Needy", NAMED) + "class Helper {}");
    Files.delete(plugin.resolve("Helper.class"));
    refused(plugin, "missing", "Helper");
  }

  private static void refused(Path plugin, String... words) {
    Cli.Result refused = Cli.run("env", "list", "--plugins", plugin).refused(words);
    assertEquals(1, refused.err().lines().count(), refused.err());
    // Nothing of it stays behind.
    Cli.run("env", "list").succeeded();
  }

  private Path example() throws IOException {
    Path classes = compile(Files.readString(EXAMPLE.resolve(source("Pendulum"))), "Pendulum");
    register(classes, "org.example.pendulum.Pendulum");
    return classes;
  }

  private static String source(String name) {
    return "java/org/example/pendulum/" + name + ".java";
  }

  private Path plugin(String name, String source) throws IOException {
    Path classes = compile(source, name);
    register(classes, name);
    return classes;
  }

  private static void register(Path classes, String name) throws IOException {
    Path services = Files.createDirectories(classes.resolve("META-INF/services"));
    Files.writeString(services.resolve("dev.psm.core.env.World"), name + "\n");
  }

  private Path compile(String source, String name) throws IOException {
    Path file = Files.writeString(folder.resolve(name + ".java"), source);
    Path classes = Files.createTempDirectory(folder, "classes");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertNotNull(compiler, "a JDK is needed");
    StringWriter said = new StringWriter();
    List<String> options =
        List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
    boolean compiled =
        compiler
            .getTask(
                said,
                null,
                null,
                options,
                null,
                compiler.getStandardFileManager(null, null, null).getJavaFileObjects(file.toFile()))
            .call();
    assertTrue(compiled, said.toString());
    return classes;
  }

  /** In a Java of its own, for a plugin stays as long as the process does. */
  private static OwnProcess run(String plugins, String... command) throws Exception {
    return OwnProcess.run("PSM_PLUGINS", plugins, command);
  }
}
