package dev.psm.spark;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Wording;
import dev.psm.lab.compute.Work;
import java.util.List;

/**
 * What the largest of some tasks needs of a machine.
 *
 * @param threads that it computes on
 * @param bytes of memory
 */
record Needs(int threads, long bytes) {
  private static final double GIGABYTE = 1e9;

  /**
   * @param gpu whether they compute on GPUs: then the cores are not what is short, and how many a
   *     worker has is not known here
   */
  static Needs of(Work work, List<ObjectNode> tasks, boolean gpu) {
    int threads = 1;
    long bytes = 0;
    for (ObjectNode task : tasks) {
      threads = gpu ? 1 : Math.max(threads, work.threads(task));
      bytes = Math.max(bytes, work.memoryBytes(task));
    }
    return new Needs(threads, bytes);
  }

  /** Whether what was set up for these tasks will do for others. */
  boolean cover(Needs others) {
    return threads == others.threads && bytes >= others.bytes;
  }

  static String gigabytes(long bytes) {
    return Wording.format("%.1f GB", bytes / GIGABYTE);
  }
}
