package dev.psm.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.lab.Machine;
import dev.psm.studio.service.InferenceService;
import dev.psm.zeroshot.AgentFolder;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A service in a process of its own, with limits as usual. */
public final class ServiceProcess implements AutoCloseable {
  private static final String ADDRESS = "address";
  private static final long LOOK_MILLIS = 20;

  private final Process process;
  private final URI address;

  private ServiceProcess(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  static ServiceProcess start(Path model) {
    // Here, so that a wrong folder is told in words and not by another process.
    AgentFolder.open(model);
    try (TemporaryFolder folder =
        TemporaryFolder.in(Path.of(System.getProperty("java.io.tmpdir")))) {
      Path ready = folder.path().resolve("ready.json");
      List<String> command =
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-Dorg.bytedeco.openblas.load="
                  + System.getProperty("org.bytedeco.openblas.load", ""),
              "-Xmx512m",
              "-cp",
              System.getProperty("java.class.path"),
              ServiceProcess.class.getName(),
              model.toString(),
              ready.toString());
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      while (!Files.exists(ready)) {
        if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          throw UserError.failed(null, "the service did not start; its words are above");
        }
      }
      return new ServiceProcess(process, URI.create(Json.read(ready).get(ADDRESS).textValue()));
    } catch (IOException e) {
      throw UserError.failed(e, "Java cannot be started again: %s", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UserError.failed(e, "interrupted while the service started");
    }
  }

  URI address() {
    return address;
  }

  /** Memory that it holds, without garbage. */
  long residentBytes() {
    try {
      process.outputWriter().write(System.lineSeparator());
      process.outputWriter().flush();
      String told = process.inputReader().readLine();
      if (told != null) {
        return Long.parseLong(told);
      }
    } catch (IOException e) {
      throw UserError.failed(e, "the service ended: %s", e.getMessage());
    }
    throw UserError.failed(null, "the service ended; its words are above");
  }

  @Override
  public void close() {
    process.destroy();
  }

  /**
   * The process itself. Arguments: a model's folder, a file to say in where it listens. Every line
   * of standard input asks for the memory that it holds; where there are no more, nobody is there.
   */
  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    InferenceService.Settings settings = InferenceService.Settings.loopback(0);
    try (InferenceService service = new InferenceService(List.of(Path.of(arguments[0])), settings);
        BufferedReader asked = new BufferedReader(new InputStreamReader(System.in, US_ASCII));
        PrintStream told =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, US_ASCII)) {
      service.load();
      Json.write(Path.of(arguments[1]), Json.object().put(ADDRESS, service.address()));
      while (asked.readLine() != null) {
        told.println(Machine.residentBytes());
      }
    }
  }
}
