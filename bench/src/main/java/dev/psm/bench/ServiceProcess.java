package dev.psm.bench;

import dev.psm.core.UserError;
import dev.psm.studio.service.InferenceService;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A service in a process of its own, with limits as usual. */
public final class ServiceProcess implements AutoCloseable {
  private static final String READY = "ready at ";

  private final Process process;
  private final URI address;

  private ServiceProcess(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  static ServiceProcess start(Path model) {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dorg.bytedeco.openblas.load=" + System.getProperty("org.bytedeco.openblas.load", ""),
            "-Xmx512m",
            "-cp",
            System.getProperty("java.class.path"),
            ServiceProcess.class.getName(),
            model.toString());
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
      String line = said.readLine();
      if (line == null || !line.startsWith(READY)) {
        process.destroy();
        throw UserError.failed(null, "the service did not start; its words are above");
      }
      return new ServiceProcess(process, URI.create(line.substring(READY.length())));
    } catch (IOException e) {
      throw UserError.failed(e, "Java cannot be started again: %s", e.getMessage());
    }
  }

  URI address() {
    return address;
  }

  @Override
  public void close() {
    process.destroy();
  }

  /** The process itself: a model's folder is its argument. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    InferenceService service =
        new InferenceService(List.of(Path.of(arguments[0])), InferenceService.Settings.loopback(0));
    service.load();
    System.out.println(READY + service.address());
    System.out.flush();
  }
}
