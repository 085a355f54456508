package dev.psm.spark;

import dev.psm.core.Wording;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.deploy.DeployMessages;
import org.apache.spark.deploy.master.WorkerInfo;
import org.apache.spark.rpc.RpcAddress;
import scala.reflect.ClassTag$;

/**
 * What a master of Spark's own kind says of its workers, asked when none of them has begun: Spark
 * itself would wait for a larger one for ever.
 */
final class StandaloneState {
  private static final long MEGABYTE = 1L << 20;

  private StandaloneState() {}

  /** Why no worker will ever perform a task, if that is so. */
  static Optional<String> whyNone(SparkContext spark, MasterAddress master) {
    List<WorkerInfo> workers = new ArrayList<>();
    boolean answered = false;
    for (MasterAddress.Host host : master.hosts()) {
      try {
        DeployMessages.MasterStateResponse state =
            spark
                .env()
                .rpcEnv()
                .setupEndpointRef(new RpcAddress(host.name(), host.port()), "Master")
                .askSync(
                    DeployMessages.RequestMasterState$.MODULE$,
                    ClassTag$.MODULE$.apply(DeployMessages.MasterStateResponse.class));
        answered = true;
        workers.addAll(List.of(state.workers()));
      } catch (RuntimeException e) {
        // Another one may be the leader.
      }
    }
    workers.removeIf(worker -> !worker.isAlive());
    if (!answered) {
      return Optional.empty();
    }
    if (workers.isEmpty()) {
      return Optional.of("%s has no workers; start some there".formatted(master));
    }
    return tooSmall(workers, spark.getConf());
  }

  private static Optional<String> tooSmall(List<WorkerInfo> workers, SparkConf conf) {
    long bytes = SparkOptions.memory(conf);
    int cores = SparkOptions.cores(conf);
    boolean gpu = conf.contains("spark.task.resource.gpu.amount");
    boolean fits =
        workers.stream()
            .anyMatch(
                worker ->
                    worker.cores() >= cores
                        && worker.memory() * MEGABYTE >= bytes
                        && (!gpu || worker.resourcesInfo().contains("gpu")));
    if (fits) {
      return Optional.empty();
    }
    WorkerInfo largest =
        workers.stream().max(Comparator.comparingInt(WorkerInfo::memory)).orElseThrow();
    return Optional.of(
        "no worker is large enough: a process for tasks needs %s, %s%s, and the largest of %s offers %s, %s%s"
            .formatted(
                Wording.count(cores, "core"),
                Needs.gigabytes(bytes),
                gpu ? " and a GPU" : "",
                Wording.count(workers.size(), "worker"),
                Wording.count(largest.cores(), "core"),
                Needs.gigabytes(largest.memory() * MEGABYTE),
                gpu && !largest.resourcesInfo().contains("gpu") ? " and no GPU" : ""));
  }
}
