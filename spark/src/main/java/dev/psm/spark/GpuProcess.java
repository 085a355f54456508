package dev.psm.spark;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.TaskResult;
import dev.psm.lab.compute.WorkContext;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A task in a process of its own that sees the GPU which Spark gave the task, and no other: CUDA
 * decides that once for a process. So tasks that share a GPU do not share CUDA's state either.
 */
final class GpuProcess {
  private static final long POLL_MILLIS = 500;
  private static final String VISIBLE = "CUDA_VISIBLE_DEVICES";

  private GpuProcess() {}

  /**
   * @throws IllegalStateException where the process ended without a result, as machines that are
   *     lost do; Spark tries again
   */
  static TaskResult perform(
      String work, TaskMessage.Asked asked, String[] gpus, WorkContext context) {
    Process process = start(work, String.join(",", gpus));
    try (Writer in = process.outputWriter(StandardCharsets.UTF_8);
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      in.write(asked.line() + "\n");
      in.flush();
      passStop(process, in, context);
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (!line.startsWith(GpuTask.MARK)) {
          continue;
        }
        JsonNode said = Json.parse(line.substring(GpuTask.MARK.length()), "a task's process");
        if (said.has(GpuTask.RESULT)) {
          return TaskMessage.Answered.of(said.path(GpuTask.RESULT).asText()).result();
        }
        if (said.has(GpuTask.NOTE)) {
          context.notes().accept(said.path(GpuTask.NOTE).asText());
        }
        if (said.has(GpuTask.SHARE)) {
          try (Progress.Bar bar = context.progress().start("", WorkerTask.WHOLE)) {
            bar.update(Math.round(said.path(GpuTask.SHARE).asDouble() * WorkerTask.WHOLE), "");
          }
        }
      }
      throw new IllegalStateException("its process ended with code " + process.waitFor());
    } catch (IOException e) {
      throw new IllegalStateException("its process cannot be talked to: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      process.destroy();
    }
  }

  private static Process start(String work, String gpus) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseParallelGC");
    String blas = System.getProperty("org.bytedeco.openblas.load");
    if (blas != null) {
      command.add("-Dorg.bytedeco.openblas.load=" + blas);
    }
    command.addAll(List.of("-cp", classPath(), GpuTask.class.getName(), work));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put(VISIBLE, gpus);
    try {
      return builder.start();
    } catch (IOException e) {
      throw UserError.failed(e, "cannot start a process for a GPU's task: %s", e.getMessage());
    }
  }

  /** Spark's, and what Spark was told to bring. */
  private static String classPath() {
    List<String> path = new ArrayList<>(List.of(System.getProperty("java.class.path")));
    if (Thread.currentThread().getContextClassLoader() instanceof URLClassLoader jars) {
      for (URL jar : jars.getURLs()) {
        path.add(Path.of(URI.create(jar.toString())).toString());
      }
    }
    return String.join(File.pathSeparator, path);
  }

  private static void passStop(Process process, Writer in, WorkContext context) {
    Thread passing =
        new Thread(
            () -> {
              try {
                while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                  if (context.stop().getAsBoolean()) {
                    in.write(GpuTask.STOP + "\n");
                    in.flush();
                    return;
                  }
                }
              } catch (IOException e) {
                // It has just ended.
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "stop");
    passing.setDaemon(true);
    passing.start();
  }
}
