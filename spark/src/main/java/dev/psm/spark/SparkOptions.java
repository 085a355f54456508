package dev.psm.spark;

import dev.psm.core.UserError;
import dev.psm.lab.compute.Cluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkConf;
import org.apache.spark.network.util.JavaUtils;

/**
 * How Spark is asked to give out machines. A task has a process of its own for as long as it lasts:
 * what is lost with a process is one task, and how much memory a process needs is known. Whatever
 * the user sets is left as it is.
 *
 * @param tasksPerGpu 0 where tasks need no GPU
 * @param settings the user's
 */
record SparkOptions(
    MasterAddress master, int tasksPerGpu, Map<String, String> settings, List<Path> plugins) {
  static final String CORES_OF_TASK = "spark.task.cpus";
  static final String MEMORY = "spark.executor.memory";
  static final String MAX_LOSSES = "spark.task.maxFailures";

  private static final String CORES = "spark.executor.cores";
  private static final String JAVA_OPTIONS = "spark.executor.extraJavaOptions";
  private static final String ENVIRONMENT = "spark.executorEnv.";
  private static final String JARS = "spark.jars";
  private static final String BLAS = "org.bytedeco.openblas.load";

  /** Beside what tasks say they need: classes, Spark itself, buffers. */
  private static final long HEAP_BYTES = 1L << 30;

  private static final long MEGABYTE = 1L << 20;

  /** What a launcher sets because it decides how libtorch computes, or where things lie. */
  private static final List<String> VARIABLES =
      List.of(
          "GOMP_SPINCOUNT",
          "LC_ALL",
          "MALLOC_ARENA_MAX",
          "MALLOC_MMAP_THRESHOLD_",
          "MALLOC_TRIM_THRESHOLD_",
          "MKL_CBWR",
          "OMP_WAIT_POLICY");

  static SparkOptions of(MasterAddress master, Cluster.Request request) {
    for (String key : request.settings().keySet()) {
      if (!key.startsWith("spark.")) {
        throw UserError.argument(
            "sparkConf",
            "a setting of Spark's begins with 'spark.', such as spark.executor.memory=4g; found"
                + " '%s'",
            key);
      }
      if (key.equals("spark.master")) {
        throw UserError.argument("sparkConf", "spark.master is what the address says already");
      }
    }
    if (request.tasksPerGpu() > 0 && master.isThisProcess()) {
      throw UserError.argument(
          "on", "Spark gives out GPUs on a cluster only, and %s is this process", master);
    }
    return new SparkOptions(
        master, request.tasksPerGpu(), new TreeMap<>(request.settings()), request.plugins());
  }

  boolean gpu() {
    return tasksPerGpu > 0;
  }

  SparkConf conf(Needs needs, List<Path> jars) {
    SparkConf conf = new SparkConf(false);
    settings.forEach(conf::set);
    conf.setMaster(master.text());
    conf.setIfMissing("spark.app.name", "psm");
    conf.setIfMissing("spark.ui.enabled", "false");
    conf.setIfMissing("spark.ui.showConsoleProgress", "false");
    conf.setIfMissing("spark.driver.maxResultSize", "0");
    // Faults of the work are results, so what fails is lost processes; none of them ends the rest.
    conf.setIfMissing(MAX_LOSSES, "20");
    conf.setIfMissing("spark.executor.maxNumFailures", "10000");
    conf.setIfMissing("spark.excludeOnFailure.enabled", "false");
    conf.setIfMissing("spark.speculation", "false");
    conf.setIfMissing("spark.locality.wait", "0s");
    conf.setIfMissing("spark.rpc.message.maxSize", "1024");
    resources(conf, needs);
    if (!master.isThisProcess()) {
      jars(conf, jars);
      processes(conf);
    }
    return conf;
  }

  private void resources(SparkConf conf, Needs needs) {
    if (master.isThisProcess()) {
      conf.setIfMissing(CORES_OF_TASK, "1");
      return;
    }
    conf.setIfMissing(CORES_OF_TASK, Integer.toString(needs.threads()));
    int cores = number(conf, CORES_OF_TASK);
    conf.setIfMissing(CORES, Integer.toString(cores * Math.max(1, tasksPerGpu)));
    int atOnce = Math.max(1, number(conf, CORES) / Math.max(1, cores));
    long bytes = needs.bytes() * atOnce;
    if (conf.contains(MEMORY) && memory(conf) < bytes) {
      throw UserError.argument(
          "sparkConf",
          "%s is %s, but the %s that an executor performs at once need %s; raise it, or lower %s",
          MEMORY,
          conf.get(MEMORY),
          atOnce == 1 ? "task" : atOnce + " tasks",
          Needs.gigabytes(bytes),
          CORES);
    }
    conf.setIfMissing(MEMORY, megabytes(HEAP_BYTES + bytes));
    if (!master.isStandalone()) {
      // Tensors are outside Java's heap, and a container has both.
      conf.setIfMissing("spark.executor.memoryOverhead", megabytes(HEAP_BYTES / 2 + bytes));
    }
    if (gpu()) {
      conf.setIfMissing("spark.executor.resource.gpu.amount", "1");
      conf.setIfMissing("spark.task.resource.gpu.amount", Double.toString(1.0 / tasksPerGpu));
      if (master.isKubernetes()) {
        conf.setIfMissing("spark.executor.resource.gpu.vendor", "nvidia.com");
      }
    }
  }

  private static int number(SparkConf conf, String key) {
    String found = conf.get(key);
    try {
      int number = Integer.parseInt(found);
      if (number >= 1) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw UserError.argument("sparkConf", "%s: expected a whole number, found '%s'", key, found);
  }

  static long memory(SparkConf conf) {
    String found = conf.get(MEMORY);
    try {
      return JavaUtils.byteStringAsMb(found) * MEGABYTE;
    } catch (NumberFormatException e) {
      throw UserError.argument(
          "sparkConf", "%s: expected a size such as 4g, found '%s'", MEMORY, found);
    }
  }

  static int cores(SparkConf conf) {
    return number(conf, CORES);
  }

  private static String megabytes(long bytes) {
    return (bytes + MEGABYTE - 1) / MEGABYTE + "m";
  }

  private static void jars(SparkConf conf, List<Path> jars) {
    String own =
        String.join(",", jars.stream().map(jar -> jar.toUri().toString()).toArray(String[]::new));
    conf.set(JARS, conf.contains(JARS) ? own + "," + conf.get(JARS) : own);
  }

  /** Workers compute as this process does, to the bit. */
  private void processes(SparkConf conf) {
    String options = "-XX:+UseParallelGC";
    String blas = System.getProperty(BLAS);
    if (blas != null) {
      options += " -D" + BLAS + "=" + blas;
    }
    conf.set(
        JAVA_OPTIONS,
        conf.contains(JAVA_OPTIONS) ? options + " " + conf.get(JAVA_OPTIONS) : options);
    for (String variable : VARIABLES) {
      String value = System.getenv(variable);
      if (value != null) {
        conf.setIfMissing(ENVIRONMENT + variable, value);
      }
    }
    String libraries = System.getenv("LD_LIBRARY_PATH");
    if (gpu() && libraries != null && !libraries.isEmpty()) {
      conf.setIfMissing(ENVIRONMENT + "LD_LIBRARY_PATH", libraries);
    }
  }
}
