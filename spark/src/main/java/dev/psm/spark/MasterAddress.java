package dev.psm.spark;

import dev.psm.core.UserError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who gives out the machines, as Spark writes it.
 *
 * @param text as it was given
 * @param hosts where masters of Spark's own kind listen; none for other kinds
 */
record MasterAddress(String text, List<Host> hosts) {
  private static final String STANDALONE = "spark://";
  private static final String KUBERNETES = "k8s://";
  private static final String YARN = "yarn";
  private static final Pattern HOST = Pattern.compile("(\\[[^\\]]+\\]|[^:/,\\s]+):(\\d{1,5})");
  private static final Pattern THREADS =
      Pattern.compile("local\\[\\s*(\\d+|\\*)\\s*(,\\s*\\d+\\s*)?\\]");
  private static final Pattern PROCESSES =
      Pattern.compile("local-cluster\\[\\s*\\d+\\s*,\\s*\\d+\\s*,\\s*\\d+\\s*\\]");
  private static final int PATIENCE_MILLIS = 10_000;
  private static final int MAX_PORT = 65_535;

  /** Where a master listens. */
  record Host(String name, int port) {}

  /** Whether an address is meant as a master's, well written or not. */
  static boolean isMaster(String address) {
    return address.startsWith(STANDALONE)
        || address.startsWith(KUBERNETES)
        || address.equals(YARN)
        || address.startsWith("local[")
        || address.startsWith("local-cluster[");
  }

  static MasterAddress parse(String address) {
    if (address.startsWith(STANDALONE)) {
      return new MasterAddress(address, hosts(address));
    }
    boolean sound =
        address.equals(YARN)
            || (address.startsWith(KUBERNETES) && address.length() > KUBERNETES.length())
            || THREADS.matcher(address).matches()
            || PROCESSES.matcher(address).matches();
    if (!sound) {
      throw UserError.argument(
          "on",
          "expected spark://HOST:PORT, yarn, k8s://https://HOST:PORT, local[THREADS] or"
              + " local-cluster[WORKERS,CORES,MEGABYTES], found '%s'",
          address);
    }
    return new MasterAddress(address, List.of());
  }

  private static List<Host> hosts(String address) {
    List<Host> hosts = new ArrayList<>();
    for (String one : address.substring(STANDALONE.length()).split(",", -1)) {
      Matcher host = HOST.matcher(one);
      if (!host.matches()
          || Integer.parseInt(host.group(2)) < 1
          || Integer.parseInt(host.group(2)) > MAX_PORT) {
        throw UserError.argument("on", "expected spark://HOST:PORT, found '%s'", address);
      }
      hosts.add(new Host(host.group(1), Integer.parseInt(host.group(2))));
    }
    return hosts;
  }

  /** Whether the tasks are threads of this very process. */
  boolean isThisProcess() {
    return text.startsWith("local[");
  }

  /** Whether its machines count all that a process needs as one figure. */
  boolean isStandalone() {
    return !hosts.isEmpty() || text.startsWith("local-cluster[");
  }

  boolean isKubernetes() {
    return text.startsWith(KUBERNETES);
  }

  /** Refuses a master that nobody listens at: Spark itself would try for a minute. */
  void requireAnswer() {
    List<String> reasons = new ArrayList<>();
    for (Host host : hosts) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(host.name(), host.port()), PATIENCE_MILLIS);
        return;
      } catch (IOException e) {
        reasons.add(
            "%s port %d: %s"
                .formatted(
                    host.name(),
                    host.port(),
                    e instanceof java.net.UnknownHostException
                        ? "no such host"
                        : String.valueOf(e.getMessage())));
      }
    }
    if (!reasons.isEmpty()) {
      throw UserError.failed(
          null,
          "no Spark master answers at %s (%s); is it running, and may this machine reach it?",
          text,
          String.join("; ", reasons));
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
