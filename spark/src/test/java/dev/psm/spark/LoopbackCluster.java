package dev.psm.spark;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A Spark cluster of processes on this machine: a master and some workers, from Maven's jars. */
final class LoopbackCluster implements AutoCloseable {
  private static final String EXECUTOR = "CoarseGrainedExecutorBackend";

  private final Path home;
  private final int port;
  private final List<Process> workers = new ArrayList<>();
  private final Process master;

  /**
   * @param folder for what Spark keeps
   * @param workers how many
   * @param cores of each
   * @param gpus that each says it has
   */
  LoopbackCluster(Path folder, int workers, int cores, int gpus)
      throws IOException, InterruptedException {
    home = folder.resolve("spark");
    Path jars = Files.createDirectories(home.resolve("jars"));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path jar = Path.of(entry);
      String repository = jar.toString();
      if (Files.isRegularFile(jar)
          && !repository.contains("bytedeco")
          && !jar.getFileName().toString().startsWith("psm-")) {
        Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar.toAbsolutePath());
      }
    }
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    master =
        start(
            Map.of(),
            "org.apache.spark.deploy.master.Master",
            List.of("--host", "127.0.0.1", "--port", "" + port, "--webui-port", "0"));
    awaitMaster();
    for (int i = 0; i < workers; i++) {
      addWorker(cores, gpus);
    }
  }

  void addWorker(int cores, int gpus) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("--host", "127.0.0.1", "--webui-port", "0", "-c", "" + cores, "-m", "6g"));
    arguments.addAll(
        List.of("-d", Files.createDirectories(home.resolve("work" + workers.size())).toString()));
    List<String> options = new ArrayList<>();
    if (gpus > 0) {
      Path script = home.resolve("gpus" + workers.size() + ".sh");
      List<String> addresses = new ArrayList<>();
      for (int i = 0; i < gpus; i++) {
        addresses.add("\"" + (10 * workers.size() + i) + "\"");
      }
      Files.writeString(
          script,
          "#!/bin/sh\necho '{\"name\": \"gpu\", \"addresses\": %s}'\n".formatted(addresses));
      script.toFile().setExecutable(true);
      options.add("-Dspark.worker.resource.gpu.amount=" + gpus);
      options.add("-Dspark.worker.resource.gpu.discoveryScript=" + script);
    }
    arguments.add(address());
    workers.add(
        start(
            Map.of("SPARK_WORKER_OPTS", String.join(" ", options)),
            "org.apache.spark.deploy.worker.Worker",
            arguments,
            options));
  }

  private Process start(Map<String, String> environment, String main, List<String> arguments)
      throws IOException {
    return start(environment, main, arguments, List.of());
  }

  private Process start(
      Map<String, String> environment, String main, List<String> arguments, List<String> options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.addAll(options);
    command.addAll(List.of("-cp", home.resolve("jars") + "/*", main));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve("log").toFile()));
    builder.environment().putAll(environment());
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** What Spark needs where there is no distribution of it. */
  Map<String, String> environment() {
    return Map.of(
        "SPARK_HOME",
        home.toString(),
        "SPARK_SCALA_VERSION",
        "2.13",
        "SPARK_LOCAL_IP",
        "127.0.0.1");
  }

  private void awaitMaster() throws IOException, InterruptedException {
    for (int i = 0; ; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return;
      } catch (IOException e) {
        if (i == 300 || !master.isAlive()) {
          throw new IOException("no master: " + Files.readString(home.resolve("log")), e);
        }
        Thread.sleep(100);
      }
    }
  }

  String address() {
    return "spark://127.0.0.1:" + port;
  }

  /** The processes in which tasks are performed now. */
  List<ProcessHandle> executors() {
    return workers.stream()
        .flatMap(worker -> worker.toHandle().descendants())
        .filter(process -> process.info().commandLine().orElse("").contains(EXECUTOR))
        .toList();
  }

  void killWorker(int index) {
    workers.get(index).destroyForcibly();
  }

  @Override
  public void close() throws InterruptedException {
    List<ProcessHandle> left = new ArrayList<>(executors());
    workers.forEach(Process::destroyForcibly);
    master.destroyForcibly();
    left.forEach(ProcessHandle::destroyForcibly);
    for (Process worker : workers) {
      worker.waitFor(10, TimeUnit.SECONDS);
    }
    for (ProcessHandle executor : left) {
      for (int i = 0; executor.isAlive() && i < 100; i++) {
        Thread.sleep(100);
      }
    }
  }
}
