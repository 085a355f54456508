package dev.psm.app;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The user's browser. */
final class Browser {
  private Browser() {}

  /** Opens an address where there is a browser to do so; otherwise nothing happens. */
  static void open(String address) {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    List<String> command;
    if (system.contains("mac")) {
      command = List.of("open", address);
    } else if (system.contains("windows")) {
      command = List.of("rundll32", "url.dll,FileProtocolHandler", address);
    } else if (System.getenv("DISPLAY") != null || System.getenv("WAYLAND_DISPLAY") != null) {
      command = List.of("xdg-open", address);
    } else {
      return;
    }
    try {
      new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException none) {
      // The address has been printed.
    }
  }
}
