package dev.psm.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.lab.compute.Cluster;
import dev.psm.lab.compute.Workers;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SparkClusterTest {
  private static final Needs NEEDS = new Needs(2, 3_000_000_000L);

  private static Cluster.Request request(String address, Map<String, String> settings) {
    return new Cluster.Request(address, 0, settings, List.of());
  }

  private static UserError refused(String address, Map<String, String> settings) {
    return assertThrows(
        UserError.class,
        () -> {
          try (Workers workers = new SparkCluster().connect(request(address, settings))) {
            workers.describe();
          }
        });
  }

  @Test
  void itIsFoundAsAService() {
    assertTrue(
        ServiceLoader.load(Cluster.class).stream()
            .anyMatch(each -> each.type().equals(SparkCluster.class)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"spark://h:7077", "yarn", "k8s://https://h", "local[2]", "local-cluster[2,1,900]"})
  void itTakesSparksMasters(String address) {
    assertTrue(new SparkCluster().takes(address));
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "slurm", "sparks", "http://h:80"})
  void itTakesNothingElse(String address) {
    assertFalse(new SparkCluster().takes(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spark://",
        "spark://h",
        "spark://h:0",
        "spark://h:70777",
        "spark://h:7077/x",
        "spark://h:7077,",
        "k8s://",
        "local[]",
        "local[x]",
        "local-cluster[2,1]"
      })
  void aMalformedMasterIsWrongUse(String address) {
    UserError error = refused(address, Map.of());
    assertEquals(UserError.Kind.INVALID, error.kind());
    assertEquals("on", error.argument().orElseThrow());
    assertTrue(error.getMessage().contains("found '" + address), error.getMessage());
  }

  @Test
  void aMasterThatNobodyListensAtIsToldAtOnce() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    UserError error = refused("spark://127.0.0.1:" + port, Map.of());
    assertEquals(UserError.Kind.FAILED, error.kind());
    assertTrue(error.getMessage().contains("no Spark master answers"), error.getMessage());
    error = refused("spark://no-such-host.invalid:7077", Map.of());
    assertTrue(error.getMessage().contains("no such host"), error.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "executor.memory, 4g, begins with 'spark.'",
    "spark.master, local[3], says already",
  })
  void settingsThatAreNotSparksAreRefused(String key, String value, String expected) {
    UserError error = refused("local[1]", Map.of(key, value));
    assertEquals("sparkConf", error.argument().orElseThrow());
    assertTrue(error.getMessage().contains(expected), error.getMessage());
  }

  private static SparkConf conf(int tasksPerGpu, Map<String, String> settings) {
    MasterAddress master = MasterAddress.parse("spark://h:7077");
    return SparkOptions.of(
            master, new Cluster.Request(master.text(), tasksPerGpu, settings, List.of()))
        .conf(NEEDS, List.of(Path.of("/a.jar")));
  }

  @Test
  void aTaskHasAProcessWithItsCoresAndItsMemory() {
    SparkConf conf = conf(0, Map.of());
    assertEquals("2", conf.get("spark.task.cpus"));
    assertEquals("2", conf.get("spark.executor.cores"));
    assertEquals("3886m", conf.get("spark.executor.memory"));
    assertEquals("file:///a.jar", conf.get("spark.jars"));
    assertFalse(conf.contains("spark.task.resource.gpu.amount"));
  }

  @Test
  void whatTheUserSetsStays() {
    SparkConf conf =
        conf(
            0,
            Map.of(
                "spark.executor.cores", "4",
                "spark.executor.memory", "9g",
                "spark.executor.extraJavaOptions", "-Dx=y"));
    assertEquals("4", conf.get("spark.executor.cores"));
    assertEquals("9g", conf.get("spark.executor.memory"));
    assertTrue(conf.get("spark.executor.extraJavaOptions").endsWith(" -Dx=y"));
  }

  @Test
  void memoryThatDoesNotBearTheTasksIsRefused() {
    UserError error =
        assertThrows(UserError.class, () -> conf(0, Map.of("spark.executor.memory", "2g")));
    assertTrue(error.getMessage().contains("need 3.0 GB"), error.getMessage());
    error =
        assertThrows(
            UserError.class,
            () -> conf(0, Map.of("spark.executor.memory", "5g", "spark.executor.cores", "4")));
    assertTrue(error.getMessage().contains("2 tasks"), error.getMessage());
    error = assertThrows(UserError.class, () -> conf(0, Map.of("spark.executor.memory", "much")));
    assertTrue(error.getMessage().contains("'much'"), error.getMessage());
    error = assertThrows(UserError.class, () -> conf(0, Map.of("spark.executor.cores", "x")));
    assertTrue(error.getMessage().contains("'x'"), error.getMessage());
  }

  @Test
  void aGpuIsSharedByAsManyAsAsked() {
    SparkConf conf = conf(4, Map.of());
    assertEquals("1", conf.get("spark.executor.resource.gpu.amount"));
    assertEquals("0.25", conf.get("spark.task.resource.gpu.amount"));
    assertEquals("8", conf.get("spark.executor.cores"));
  }
}
