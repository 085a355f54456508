package dev.psm.lab.compute;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A kind of machines that workers may be on. Found by {@link java.util.ServiceLoader}, since the
 * libraries of a cluster are there only when somebody asks for one.
 */
public interface Cluster {
  /** Whether an address is of this kind. */
  boolean takes(String address);

  /** Connects; what an address cannot be reached for is told in a sentence. */
  Workers connect(Request request);

  /**
   * What is wanted of a cluster.
   *
   * @param address such as {@code spark://host:7077}
   * @param tasksPerGpu how many share one GPU; 0 where tasks need none
   * @param settings of the cluster's own
   * @param plugins that workers need too
   */
  record Request(
      String address, int tasksPerGpu, Map<String, String> settings, List<Path> plugins) {}
}
