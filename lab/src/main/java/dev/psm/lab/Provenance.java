package dev.psm.lab;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.torch.Device;
import dev.psm.torch.TorchRuntime;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Where a result comes from: enough to make it again, or to see why it cannot be. */
public final class Provenance {
  /** The field that names what computes the dynamics. */
  public static final String ENGINE = "engine";

  private Provenance() {}

  /** The present, as ISO 8601. */
  public static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** What computes here: the last bits of a result depend on it. */
  public static ObjectNode software(Device device) {
    ObjectNode node = software();
    node.put("device", device.describe());
    return node;
  }

  /** The same for what is also played in a world. */
  public static ObjectNode software(Device device, World world) {
    return software(device).put(ENGINE, world.engine());
  }

  /** The same where only the CPU can be meant. */
  public static ObjectNode software() {
    ObjectNode node = Json.object();
    node.put("psm", version());
    node.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    node.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    try {
      node.put("libtorch", TorchRuntime.version());
    } catch (IOException e) {
      node.put("libtorch", "unknown");
    }
    node.put("blas", TorchRuntime.blas());
    node.put("threads", TorchRuntime.threads());
    return node;
  }

  /** Of psm. */
  public static String version() {
    String version = Provenance.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
