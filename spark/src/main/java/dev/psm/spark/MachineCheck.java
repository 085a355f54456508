package dev.psm.spark;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.lab.compute.WorkContext;
import java.util.Optional;
import org.apache.spark.SparkConf;

/**
 * Looks whether a cluster that has no machine for psm will ever have one: Spark itself would wait
 * for ever.
 */
final class MachineCheck {
  private static final long NANOS = 1_000_000_000L;
  private static final long FIRST_SECONDS = 15;
  private static final long AGAIN_SECONDS = 60;

  private final MasterAddress master;
  private final SparkConnection connection;
  private long due = System.nanoTime() + FIRST_SECONDS * NANOS;
  private boolean told;

  MachineCheck(MasterAddress master, SparkConnection connection) {
    this.master = master;
    this.connection = connection;
  }

  /** To be called now and then; refuses where there is nobody to wait for. */
  void look(WorkContext context) {
    if (connection.hasMachines()) {
      due = System.nanoTime() + FIRST_SECONDS * NANOS;
      told = false;
      return;
    }
    if (System.nanoTime() < due) {
      return;
    }
    due = System.nanoTime() + AGAIN_SECONDS * NANOS;
    master.requireAnswer();
    Optional<String> why = connection.whyNoMachines(master);
    if (why.isPresent()) {
      throw UserError.failed(null, "%s", why.get());
    }
    if (!told) {
      SparkConf conf = connection.spark().getConf();
      context
          .notes()
          .accept(
              "no machine of %s has begun; waiting for one with %s and %s free"
                  .formatted(
                      master,
                      Wording.count(SparkOptions.cores(conf), "core"),
                      Needs.gigabytes(SparkOptions.memory(conf))));
      told = true;
    }
  }
}
