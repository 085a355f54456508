package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.app.bundle.Bundle;
import dev.psm.app.bundle.ByteSize;
import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.mujoco.MujocoLibrary;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "bundle",
    mixinStandardHelpOptions = true,
    description = {
      "Package psm for a Linux machine without Java, Maven or the internet: a folder with a launcher, a Java runtime, all"
          + " libraries and MuJoCo, or the same in parts.",
      ""
    })
final class BundleCommand implements Callable<Integer> {
  /** The class paths of each platform, as the launcher builds them, without and with Spark. */
  private static final Map<String, List<List<String>>> CLASS_PATHS =
      new TreeMap<>(
          Map.of(
              "linux-x86_64",
              List.of(List.of("classpath"), List.of("classpath-spark")),
              "linux-x86_64-gpu",
              List.of(
                  List.of("classpath-gpu", "classpath-gpu-tests"),
                  List.of("classpath-gpu-spark", "classpath-gpu-tests"))));

  @Mixin private Output output;

  @Option(
      names = "--platform",
      paramLabel = "NAME",
      defaultValue = "linux-x86_64",
      description =
          "linux-x86_64, or linux-x86_64-gpu for NVIDIA GPUs with CUDA 13 (default: ${DEFAULT-VALUE}).")
  private String platform;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Where to; new or empty.")
  private Path out;

  @Option(
      names = "--split",
      paramLabel = "SIZE",
      description =
          "Make an archive in parts of at most this size, such as 60M, and a script that joins them.")
  private String split;

  @Option(
      names = "--with-spark",
      description = "Take Apache Spark along, 130 MB, so that --on takes a Spark master there.")
  private boolean spark;

  @Option(names = "--force", description = "Replace the bundle that DIR holds.")
  private boolean force;

  @Override
  public Integer call() {
    long start = System.nanoTime();
    if (!CLASS_PATHS.containsKey(platform)) {
      throw UserError.invalid(
          "--platform: expected one of %s, found '%s'; %s",
          CLASS_PATHS.keySet(), platform, Nearest.hint(platform, CLASS_PATHS.keySet()));
    }
    OptionalLong part =
        split == null ? OptionalLong.empty() : OptionalLong.of(ByteSize.part(split));
    Destination.folder("--out", out);
    Bundle.checkTarget(out, force);
    if (!(System.getProperty("os.name") + " " + System.getProperty("os.arch"))
        .equals("Linux amd64")) {
      throw UserError.failed(
          null, "a bundle for %s can only be made on Linux with an x86-64 processor", platform);
    }
    List<Path> jars = jars();
    Path jlink = Path.of(System.getProperty("java.home"), "bin", "jlink");
    Bundle.Result result;
    Path mujoco = mujoco();
    try (Interruption interruption = new Interruption(() -> output.note("stopping"))) {
      try {
        result =
            new Bundle(jars, jlink, mujoco, part).make(out, force, output.progress(), interruption);
      } catch (UserError e) {
        if (!interruption.getAsBoolean()) {
          throw e;
        }
        // Told here, while the process still waits.
        output.note(CommandErrors.message(e));
        return CommandErrors.exitCode(e);
      }
    }
    say(result, mujoco, (System.nanoTime() - start) / 1e9);
    return 0;
  }

  private List<Path> jars() {
    String target = System.getProperty("psm.target", "");
    List<Path> jars = new ArrayList<>(List.of(Path.of(target, "psm-app.jar")));
    for (String name : CLASS_PATHS.get(platform).get(spark ? 1 : 0)) {
      Path file = Path.of(target, name);
      if (target.isEmpty() || !Files.isRegularFile(file)) {
        throw UserError.failed(
            null,
            "the class path for %s was not built; make bundles with the psm of a checkout, which builds it: ./psm bundle"
                + " --platform %s%s",
            platform,
            platform,
            spark ? " --with-spark" : "");
      }
      try {
        for (String jar : Files.readString(file).strip().split(File.pathSeparator, -1)) {
          jars.add(Path.of(jar));
        }
      } catch (IOException e) {
        throw AtomicFiles.explain("read", file, e);
      }
    }
    return jars;
  }

  private Path mujoco() {
    try {
      return Path.of(MujocoLibrary.load().file());
    } catch (UserError e) {
      if (System.getenv(MujocoLibrary.VARIABLE) != null) {
        throw e;
      }
      output.note(
          "the bundle goes without MuJoCo, so without the robots: " + CommandErrors.message(e));
      return null;
    }
  }

  private void say(Bundle.Result result, Path mujoco, double seconds) {
    output.say(
        String.format(
            Locale.ROOT,
            "%s: %s in %.0f s%s",
            out,
            ByteSize.words(result.bytes()),
            seconds,
            result.parts() == 0
                ? "; start it there with %s".formatted(Wording.shell(out.resolve("psm")))
                : ", %s; carry all of DIR, then: sh join FOLDER"
                    .formatted(Wording.count(result.parts(), "part"))));
    ObjectNode document = Json.object().put("out", out.toString()).put("platform", platform);
    document.put("bytes", result.bytes()).put("parts", result.parts()).put("seconds", seconds);
    document.put("mujoco", mujoco == null ? null : mujoco.toString());
    output.finish(document);
  }
}
