package dev.psm.spark;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.Cluster;
import dev.psm.lab.compute.TaskResult;
import dev.psm.lab.compute.Work;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Work on a cluster, and what was said of it. */
final class ClusterRun {
  final List<String> notes = Collections.synchronizedList(new ArrayList<>());
  final Map<Integer, TaskResult> results = new HashMap<>();

  static Workers connect(String address, int tasksPerGpu, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(Map.of("spark.cores.max", "2"));
    all.putAll(settings);
    all.put("spark.driver.host", "127.0.0.1");
    all.put("spark.driver.bindAddress", "127.0.0.1");
    return new SparkCluster().connect(new Cluster.Request(address, tasksPerGpu, all, List.of()));
  }

  WorkContext context(BooleanSupplier stop) {
    return new WorkContext(Progress.SILENT, notes::add, stop);
  }

  boolean perform(
      Workers workers, Class<? extends Work> work, List<ObjectNode> tasks, BooleanSupplier stop) {
    Thread caller = Thread.currentThread();
    return workers.perform(
        work,
        "tasks",
        tasks,
        context(stop),
        result -> {
          if (Thread.currentThread() != caller) {
            throw new AssertionError("told on another thread");
          }
          results.put(result.index(), result);
        });
  }
}
