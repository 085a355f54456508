package dev.psm.spark;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.util.ShutdownHookManager;
import scala.runtime.AbstractFunction0;
import scala.runtime.BoxedUnit;

/** Spark in this process, from its start to its end. */
final class SparkConnection implements AutoCloseable {
  /** Spark itself asks a master three times, for twenty seconds each. */
  private static final long PATIENCE_SECONDS = 90;

  /** As long as whoever was asked to stop may take for it. */
  private static final long END_SECONDS = 60;

  private static final String SHUTDOWN_TIMEOUT = "spark.shutdown.timeout";

  private final SparkContext spark;
  private final WorkerJars jars;
  private final Needs needs;
  private final TaskWatch watch = new TaskWatch();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Object hook;

  private SparkConnection(SparkContext spark, WorkerJars jars, Needs needs) {
    this.spark = spark;
    this.jars = jars;
    this.needs = needs;
    spark.addSparkListener(watch);
    hook = ShutdownHookManager.addShutdownHook(before(), new Wait(closed));
  }

  /** On a signal, Spark ends at once by itself, and its tasks could not save what they did. */
  private static int before() {
    return ShutdownHookManager.SPARK_CONTEXT_SHUTDOWN_PRIORITY() + 1;
  }

  static SparkConnection open(SparkOptions options, Needs needs) {
    System.setProperty(SHUTDOWN_TIMEOUT, 2 * END_SECONDS + "s");
    WorkerJars jars = WorkerJars.make(options.plugins());
    try {
      SparkConf conf = options.conf(needs, jars.files());
      return new SparkConnection(start(options.master(), conf), jars, needs);
    } catch (RuntimeException e) {
      jars.close();
      throw e;
    }
  }

  private static SparkContext start(MasterAddress master, SparkConf conf) {
    CompletableFuture<SparkContext> started = new CompletableFuture<>();
    Thread starter =
        new Thread(
            () -> {
              try {
                started.complete(new SparkContext(conf));
              } catch (Throwable e) {
                started.completeExceptionally(e);
              }
            },
            "spark-start");
    starter.setDaemon(true);
    starter.start();
    try {
      return started.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw explain(master, e.getCause());
    } catch (TimeoutException e) {
      throw UserError.failed(
          e,
          "%s took no application for %d seconds; is it a master of Spark %s?",
          master,
          PATIENCE_SECONDS,
          org.apache.spark.package$.MODULE$.SPARK_VERSION());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UserError.failed(e, "interrupted while starting Spark on %s", master);
    }
  }

  private static UserError explain(MasterAddress master, Throwable e) {
    String reason = Failures.reason(e);
    if (reason.contains("Could not parse Master URL") || reason.contains("MASTER_URL")) {
      return UserError.failed(
          e,
          "Spark's scheduler for %s is not here; set SPARK_HOME to a distribution of Spark %s that"
              + " has it",
          master,
          org.apache.spark.package$.MODULE$.SPARK_VERSION());
    }
    if (e instanceof IllegalArgumentException || Failures.isSetting(reason)) {
      return UserError.argument("sparkConf", "Spark refuses it: %s", reason);
    }
    return UserError.failed(e, "Spark cannot be started on %s: %s", master, reason);
  }

  SparkContext spark() {
    return spark;
  }

  TaskWatch watch() {
    return watch;
  }

  boolean covers(Needs others) {
    return needs.cover(others) && !spark.isStopped();
  }

  /** What is sent to each machine, for a person. */
  String size() {
    return Wording.format("%.0f MB", jars.bytes() / 1e6);
  }

  /** Whether there is any machine now; this process is always among them. */
  boolean hasMachines() {
    return spark.isLocal() || spark.getExecutorMemoryStatus().size() > 1;
  }

  Optional<String> whyNoMachines(MasterAddress master) {
    return StandaloneState.whyNone(spark, master);
  }

  @Override
  public void close() {
    try {
      spark.stop();
    } finally {
      closed.countDown();
      jars.close();
      try {
        ShutdownHookManager.removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // It runs already, and has nothing to wait for any more.
      }
    }
  }

  /** Waits for the end of whoever uses Spark. */
  private static final class Wait extends AbstractFunction0<BoxedUnit> {
    private final CountDownLatch end;

    Wait(CountDownLatch end) {
      this.end = end;
    }

    @Override
    public BoxedUnit apply() {
      try {
        end.await(END_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return BoxedUnit.UNIT;
    }
  }
}
