package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's Java does what it says: each example is taken from there, compiled and run. */
class ReadmeTest {
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final String IMPORTS =
      """
      import dev.psm.agents.*;
      import dev.psm.core.env.*;
      import dev.psm.core.reward.*;
      import dev.psm.lab.*;
      import dev.psm.lab.run.*;
      import dev.psm.zeroshot.*;
      import java.nio.file.Path;
      import java.util.SplittableRandom;
      """;

  @TempDir private Path folder;

  @Test
  void everyJavaExampleCompilesAndRuns() throws Exception {
    Cli.runTiny("pretrain", "--env", "gridworld", "--out", folder.resolve("grid")).succeeded();
    List<String> examples = examples();
    assertTrue(examples.get(0).contains("ZeroShotAgent.load"), examples.get(0));
    assertEquals(3, examples.size());
    for (int i = 0; i < examples.size(); i++) {
      // A model of this test instead of the reader's; this test runs in a folder below the
      // README's.
      compile(
          "Example" + i,
          examples.get(i).replace("runs/", folder + "/").replace("models/", "../models/"));
    }
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
      for (int i = 0; i < examples.size(); i++) {
        loader
            .loadClass("Example" + i)
            .getMethod("main", String[].class)
            .invoke(null, (Object) null);
      }
    }
  }

  private static List<String> examples() throws IOException {
    Matcher matcher = JAVA.matcher(Files.readString(Path.of("../README.md")));
    List<String> examples = new ArrayList<>();
    while (matcher.find()) {
      examples.add(matcher.group(1));
    }
    return examples;
  }

  private void compile(String name, String body) throws IOException {
    Path source =
        Files.writeString(
            folder.resolve(name + ".java"),
            "%spublic class %s {\n  public static void main(String[] arguments) {\n%s  }\n}\n"
                .formatted(IMPORTS, name, body));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertNotNull(compiler, "a JDK is needed");
    StringWriter said = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                said,
                null,
                null,
                List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path")),
                null,
                compiler
                    .getStandardFileManager(null, null, null)
                    .getJavaFileObjects(source.toFile()))
            .call();
    assertTrue(compiled, said.toString());
  }
}
