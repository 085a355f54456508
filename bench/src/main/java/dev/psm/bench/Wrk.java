package dev.psm.bench;

import dev.psm.core.UserError;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The load generator wrk, where this machine has it: a client that is not of this project. */
final class Wrk {
  private static final Pattern RATE = Pattern.compile("Requests/sec: +([0-9.]+)");
  private static final Pattern OTHERS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
  private static final Pattern ALL = Pattern.compile("(\\d+) requests in ([0-9.]+)s");
  private static final Pattern LATENCY =
      Pattern.compile("(?m)^ +(50|75|90|99)% +([0-9.]+)(us|ms|s|m)$");

  private Wrk() {}

  /**
   * What it counted.
   *
   * @param perSecond answered 200
   * @param milliseconds by the percentage of requests that took no longer
   */
  record Result(double perSecond, double refusedPerSecond, Map<Integer, Double> milliseconds) {}

  static boolean isThere() {
    try {
      Process process = new ProcessBuilder("wrk", "-v").redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return said.contains("wrk");
    } catch (IOException absent) {
      return false;
    }
  }

  /**
   * Posts of a body, over so many connections.
   *
   * @param pause of each connection between an answer and its next request, in milliseconds; 0 for
   *     as many as it can
   */
  static Result run(
      URI address, String body, int connections, int pause, double seconds, Path folder) {
    Path script = folder.resolve("post.lua");
    try {
      Files.writeString(
          script,
          "wrk.method = 'POST'%nwrk.headers['Content-Type'] = 'application/json'%nwrk.body = [[%s]]%n%s"
              .formatted(
                  body, pause == 0 ? "" : "function delay() return %d end%n".formatted(pause)));
      Process process =
          new ProcessBuilder(
                  "wrk",
                  "-L",
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
      return new Result(
          (Double.parseDouble(all.group(1)) - refused) / took, refused / took, latencies(said));
    } catch (IOException e) {
      throw UserError.failed(e, "wrk cannot be run: %s", e.getMessage());
    }
  }

  private static Map<Integer, Double> latencies(String said) {
    Map<Integer, Double> milliseconds = new TreeMap<>();
    Matcher found = LATENCY.matcher(said);
    while (found.find()) {
      double factor =
          switch (found.group(3)) {
            case "us" -> 1e-3;
            case "ms" -> 1;
            case "s" -> 1e3;
            default -> 6e4;
          };
      milliseconds.put(
          Integer.parseInt(found.group(1)), factor * Double.parseDouble(found.group(2)));
    }
    return milliseconds;
  }
}
