package dev.psm.spark;

import dev.psm.lab.compute.Cluster;
import dev.psm.lab.compute.Workers;

/** Any cluster that an Apache Spark master knows. */
public final class SparkCluster implements Cluster {

  @Override
  public boolean takes(String address) {
    return MasterAddress.isMaster(address);
  }

  @Override
  public Workers connect(Request request) {
    MasterAddress master = MasterAddress.parse(request.address());
    SparkOptions options = SparkOptions.of(master, request);
    master.requireAnswer();
    return new SparkWorkers(options);
  }
}
