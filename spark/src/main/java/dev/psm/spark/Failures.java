package dev.psm.spark;

/** What Spark means by its exceptions. */
final class Failures {
  private Failures() {}

  /** The first line of the innermost cause. */
  static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return message.lines().findFirst().orElse(cause.toString());
  }

  /** Whether it is about a value that a setting has. */
  static boolean isSetting(String reason) {
    return reason.contains("spark.") && reason.contains("must be");
  }

  /** Why a cluster gave up a whole job, and what may be the reason. */
  static String ofCluster(String reason) {
    if (reason.contains("removed our application")) {
      return reason
          + ": its workers' processes ended as soon as they began, and their logs say why; they need"
          + " Java 17 or newer, and must be able to reach this machine (spark.driver.host)";
    }
    // Spark stops itself where no master has registered it in a minute.
    if (reason.contains("All masters are unresponsive")
        || reason.contains("SparkContext was shut down")
        || reason.contains("ended the connection")) {
      return "%s; is a master of Spark %s there, and up?"
          .formatted(reason, org.apache.spark.package$.MODULE$.SPARK_VERSION());
    }
    return reason;
  }
}
