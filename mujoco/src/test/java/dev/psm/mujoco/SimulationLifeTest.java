package dev.psm.mujoco;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A simulation's memory: who frees it, and what is left to touch afterwards. */
class SimulationLifeTest {
  private static final long PAGE = 4096;
  private static final long MEGABYTE = 1 << 20;

  @Test
  void aClosedSimulationSaysSoOnEveryUse() {
    Simulation simulation = Pendulum.open();
    List<View> views = views(simulation);
    ModelFacts facts = simulation.facts();
    simulation.close();

    Map<String, Executable> uses =
        Map.ofEntries(
            Map.entry("reset", simulation::reset),
            Map.entry("forward", simulation::forward),
            Map.entry("forwardPassive", simulation::forwardPassive),
            Map.entry("forwardKinematics", simulation::forwardKinematics),
            Map.entry("step", () -> simulation.step(1)),
            Map.entry("controlStep", () -> simulation.controlStep(1)),
            Map.entry("handOver", simulation::handOver),
            Map.entry("contacts", simulation::contacts),
            Map.entry("time", simulation::time),
            Map.entry("setTime", () -> simulation.setTime(1)),
            Map.entry("ignoreCollisions", () -> simulation.ignoreCollisions(0)),
            Map.entry("id", () -> simulation.id(Simulation.Kind.BODY, "rod")),
            Map.entry("nameOf", () -> simulation.nameOf(Simulation.Kind.BODY, 1)),
            Map.entry("siteVelocity", () -> simulation.siteVelocity(0, new double[6])),
            Map.entry("facts.size", () -> facts.size("nq")),
            Map.entry("facts.doubles", () -> facts.doubles("body_mass", 1)),
            Map.entry("facts of length 0", () -> facts.doubles("body_mass", 0)),
            Map.entry("facts.floats", () -> facts.floats("geom_rgba", 4)),
            Map.entry("facts.ints", () -> facts.ints("jnt_type", 1)),
            Map.entry("facts.flags", () -> facts.flags("jnt_limited", 1)),
            Map.entry("facts.timestep", facts::timestep));
    uses.forEach(SimulationLifeTest::assertClosed);
    for (View view : views) {
      assertClosed("get", () -> view.get(0));
      assertClosed("set", () -> view.set(0, 1));
      assertClosed("copy", () -> view.copy(0, new double[1], 0, 1));
      assertClosed("copy to floats", () -> view.copy(0, new float[1], 0, 1));
      assertClosed("toArray", view::toArray);
      assertClosed("setAll", () -> view.setAll(new double[view.size()], 0));
    }
  }

  private static void assertClosed(String use, Executable call) {
    IllegalStateException refused = assertThrows(IllegalStateException.class, call, use);
    assertEquals("the pendulum simulation is closed", refused.getMessage(), use);
  }

  private static List<View> views(Simulation simulation) {
    return Stream.of(Simulation.class.getMethods())
        .filter(method -> method.getReturnType() == View.class)
        .map(
            method -> {
              try {
                return (View) method.invoke(simulation);
              } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
              }
            })
        .toList();
  }

  @Test
  void closingTwiceIsHarmless() {
    Simulation simulation = Pendulum.open();
    simulation.close();
    simulation.close();
    OnThread.run(simulation::close);
  }

  @Test
  void aWrongIndexOrLengthIsRefusedAndNeverReachesMemory() {
    try (Simulation simulation = Pendulum.open()) {
      ModelFacts facts = simulation.facts();
      assertThrows(IllegalArgumentException.class, () -> facts.doubles("body_mass", 1 << 28));
      assertThrows(IllegalArgumentException.class, () -> facts.doubles("body_mass", -1));
      assertThrows(IllegalArgumentException.class, () -> facts.ints("nq", 1), "a size, no array");
      assertThrows(IllegalArgumentException.class, () -> facts.ints("no_such_field", 1));
      assertThrows(IndexOutOfBoundsException.class, () -> simulation.ignoreCollisions(1));
      assertThrows(IndexOutOfBoundsException.class, () -> simulation.ignoreCollisions(-1));
      assertThrows(
          IndexOutOfBoundsException.class, () -> simulation.siteVelocity(1, new double[6]));
      assertThrows(
          IndexOutOfBoundsException.class, () -> simulation.siteVelocity(0, new double[5]));
      assertThrows(IndexOutOfBoundsException.class, () -> simulation.qpos().get(1));
      assertThrows(IndexOutOfBoundsException.class, () -> simulation.qpos().set(-1, 0));
      assertThrows(
          IndexOutOfBoundsException.class, () -> simulation.qpos().copy(0, new double[2], 0, 2));
      assertThrows(
          IndexOutOfBoundsException.class, () -> simulation.qpos().setAll(new double[0], 0));
      assertThrows(NullPointerException.class, () -> simulation.id(Simulation.Kind.BODY, null));
      assertEquals("", simulation.nameOf(Simulation.Kind.BODY, 99));
    }
  }

  @Test
  void aMissingNameIsToldWithItsKindAndModel() {
    try (Simulation simulation = Pendulum.open()) {
      IllegalArgumentException missing =
          assertThrows(
              IllegalArgumentException.class, () -> simulation.id(Simulation.Kind.JOINT, "knee"));
      assertEquals("the pendulum model has no joint called 'knee'", missing.getMessage());
    }
  }

  @Test
  void droppedSimulationsAreFreedWithoutBeingClosed() throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self/statm")), "resident memory is read from /proc");
    drop(100);
    long before = resident();
    drop(2000);
    long grown = resident() - before;
    // Each takes 3 MB, so that without the cleaner this is 6 GB.
    assertTrue(grown < 500 * MEGABYTE, "grew by %d MB".formatted(grown / MEGABYTE));
  }

  private static void drop(int count) {
    for (int i = 0; i < count; i++) {
      Simulation dropped = Pendulum.open();
      // Touches its pages, which otherwise would not count as resident.
      dropped.step(1);
      if (i % 50 == 49) {
        System.gc();
      }
    }
  }

  private static long resident() throws IOException {
    return PAGE * Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ", -1)[1]);
  }
}
