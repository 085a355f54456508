package dev.psm.bench;

import dev.psm.core.UserError;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The load generator wrk, where this machine has it: a client that is not of this project. */
final class Wrk {
  private static final Pattern RATE = Pattern.compile("Requests/sec: +([0-9.]+)");
  private static final Pattern OTHERS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
  private static final Pattern ALL = Pattern.compile("(\\d+) requests in ([0-9.]+)s");

  private Wrk() {}

  /**
   * What it counted.
   *
   * @param perSecond answered 200
   */
  record Result(double perSecond, double refusedPerSecond) {}

  static boolean isThere() {
    try {
      Process process = new ProcessBuilder("wrk", "-v").redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return said.contains("wrk");
    } catch (IOException absent) {
      return false;
    }
  }

  /** As many posts of a body as it can, over so many connections. */
  static Result run(URI address, String body, int connections, double seconds, Path folder) {
    Path script = folder.resolve("post.lua");
    try {
      Files.writeString(
          script,
          "wrk.method = 'POST'%nwrk.headers['Content-Type'] = 'application/json'%nwrk.body = [[%s]]%n"
              .formatted(body));
      Process process =
          new ProcessBuilder(
                  "wrk",
                  "-t1",
                  "-c" + connections,
                  "-d" + Math.max(1, Math.round(seconds)) + "s",
                  "-s",
                  script.toString(),
                  address.toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher all = ALL.matcher(said);
      if (!RATE.matcher(said).find() || !all.find()) {
        throw UserError.failed(null, "wrk did not say what it counted: %s", said);
      }
      Matcher others = OTHERS.matcher(said);
      double took = Double.parseDouble(all.group(2));
      double refused = others.find() ? Double.parseDouble(others.group(1)) : 0;
      return new Result((Double.parseDouble(all.group(1)) - refused) / took, refused / took);
    } catch (IOException e) {
      throw UserError.failed(e, "wrk cannot be run: %s", e.getMessage());
    }
  }
}
