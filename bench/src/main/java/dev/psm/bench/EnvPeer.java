package dev.psm.bench;

import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.mujoco.MujocoLibrary;
import dev.psm.mujoco.Simulation;
import dev.psm.mujoco.suite.FetchReach;
import dev.psm.mujoco.suite.RobotWorld;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The same engine driven from C: {@code envs_peer.c}, compiled here and now. */
final class EnvPeer implements AutoCloseable {
  private final Path folder;

  /** Why there is no peer. */
  static final class Missing extends Exception {
    private static final long serialVersionUID = 1L;

    Missing(String reason) {
      super(reason);
    }
  }

  private EnvPeer(Path folder) {
    this.folder = folder;
  }

  /** Compiles it against the library that Java uses. */
  static EnvPeer build(MujocoLibrary library) throws Missing {
    Path file = Path.of(library.file());
    if (!file.isAbsolute()) {
      throw new Missing("where " + library.file() + " lies is unknown");
    }
    try {
      EnvPeer peer = new EnvPeer(Files.createTempDirectory("psm-peer"));
      try {
        peer.compile(file);
        return peer;
      } catch (Missing | IOException e) {
        peer.close();
        throw e;
      }
    } catch (IOException e) {
      throw UserError.failed(e, "the peer cannot be built: %s", e.getMessage());
    }
  }

  private void compile(Path library) throws IOException, Missing {
    extract(EnvPeer.class, "envs_peer.c", folder.resolve("peer.c"));
    ProcessBuilder compiler =
        new ProcessBuilder(
            "cc",
            "-O2",
            // Elsewhere than on x86, fused operations would end in other states than Java's.
            "-ffp-contract=off",
            // Where Python's package and MuJoCo's own archive have their headers.
            "-I" + library.resolveSibling("include"),
            "-I" + library.resolveSibling("../include"),
            "-o",
            program().toString(),
            folder.resolve("peer.c").toString(),
            library.toString(),
            "-Wl,-rpath," + library.getParent(),
            "-lm");
    Process process;
    try {
      process = compiler.redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new Missing("there is no C compiler called cc");
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new Missing(
            said.contains("mujoco.h")
                ? "MuJoCo's headers are not there (Debian: apt-get install libmujoco-dev)"
                : "cc cannot build it: " + said.lines().findFirst().orElse("no reason given"));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Missing("building it was interrupted");
    }
  }

  private Path program() {
    return folder.resolve("peer");
  }

  private static void extract(Class<?> owner, String name, Path file) throws IOException {
    try (InputStream in = owner.getResourceAsStream(name)) {
      Files.write(file, in.readAllBytes());
    }
  }

  /** Starts a process that steps through that domain from the engine's state given. */
  Run start(World world, double[] engineStart) {
    boolean welded = world.name().equals(FetchReach.NAME);
    try {
      Path model = folder.resolve(world.name() + ".xml");
      extract(Simulation.class, "models/" + world.name() + ".xml", model);
      Process process =
          new ProcessBuilder(
                  program().toString(),
                  model.toString(),
                  Integer.toString(((RobotWorld) world).sizes().substeps()),
                  Integer.toString(world.episodeSteps()),
                  welded ? "gripper_link" : "-")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      Run run = new Run(process);
      for (double number : engineStart) {
        run.say(Double.toString(number));
      }
      return run;
    } catch (IOException e) {
      throw UserError.failed(e, "the peer cannot be started: %s", e.getMessage());
    }
  }

  @Override
  public void close() {
    try {
      try (var files = Files.list(folder)) {
        for (Path file : List.copyOf(files.toList())) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + folder, e);
    }
  }

  /** One process of it. */
  static final class Run implements AutoCloseable {
    private final Process process;
    private final Writer in;
    private final BufferedReader out;

    private Run(Process process) {
      this.process = process;
      this.in = process.outputWriter(StandardCharsets.UTF_8);
      this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    private void say(String line) throws IOException {
      in.write(line);
      in.write('\n');
    }

    /** Lets it go; {@link #answer} waits for it. */
    void ask(long steps) {
      try {
        say(Long.toString(steps));
        in.flush();
      } catch (IOException e) {
        throw failed(e);
      }
    }

    EnvRunner.Timing answer() {
      try {
        String line = out.readLine();
        String[] parts = line == null ? new String[0] : line.split(" ");
        if (parts.length != 3) {
          throw failed(null);
        }
        return new EnvRunner.Timing(
            Double.parseDouble(parts[0]),
            Double.parseDouble(parts[1]),
            Double.parseDouble(parts[2]));
      } catch (IOException e) {
        throw failed(e);
      }
    }

    private static UserError failed(IOException cause) {
      return UserError.failed(cause, "the peer in C ended early");
    }

    @Override
    public void close() {
      try {
        // It ends when there is nothing more to read.
        in.close();
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (IOException e) {
        process.destroyForcibly();
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
