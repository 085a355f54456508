package dev.psm.mujoco;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** MuJoCo's errors and warnings come as exceptions to the thread that caused them, and only it. */
class MujocoErrorsTest {
  /** The two functions with which MuJoCo itself complains. */
  @SuppressWarnings("checkstyle:MethodName") // The names are MuJoCo's.
  static final class Faults {
    private Faults() {}

    static native void mju_error(String message);

    static native void mju_warning(String message);
  }

  @BeforeAll
  static void bind() {
    Native.register(Faults.class, NativeLibrary.getInstance(MujocoLibrary.load().file()));
  }

  @AfterEach
  void nothingIsLeftBehind() {
    assertFalse(Files.exists(Path.of("MUJOCO_LOG.TXT")), "a log in the working folder");
    assertFalse(MujocoErrors.raised());
  }

  @Test
  void anErrorIsThrownOnceAndLeavesTheSimulationBroken() {
    Simulation simulation = Pendulum.open();
    Faults.mju_error("the engine is on fire");
    MujocoException thrown = assertThrows(MujocoException.class, simulation::reset);
    assertEquals(
        "MuJoCo failed in the pendulum simulation: the engine is on fire", thrown.getMessage());
    IllegalStateException broken = assertThrows(IllegalStateException.class, simulation::reset);
    assertEquals(
        "the pendulum simulation is broken after an error of MuJoCo: the engine is on fire",
        broken.getMessage());
    assertThrows(IllegalStateException.class, () -> simulation.qpos().get(0));
    OnThread.run(() -> assertThrows(IllegalStateException.class, simulation::close));
    simulation.close();
    simulation.close();
  }

  @Test
  void anErrorInTheMiddleOfAStepEndsIt() throws ReflectiveOperationException {
    Simulation simulation = Pendulum.open();
    // The eighth number before the flags says how to integrate; MuJoCo checks it in the step.
    int integrator = MujocoLibrary.load().layout().model("opt.disableflags") - 8 * Integer.BYTES;
    Field address = Simulation.class.getDeclaredField("model");
    address.setAccessible(true);
    new Pointer(address.getLong(simulation)).setInt(integrator, 77);
    MujocoException thrown = assertThrows(MujocoException.class, () -> simulation.step(1000));
    assertEquals(
        "MuJoCo failed in the pendulum simulation: Invalid integrator", thrown.getMessage());
    assertThrows(IllegalStateException.class, () -> simulation.step(1));
    simulation.close();
    try (Simulation another = Pendulum.open()) {
      assertTrue(another.step(10), "the engine itself lives on");
    }
  }

  @Test
  void anErrorOutranksTheWarningsBeforeIt() {
    try (Simulation simulation = Pendulum.open()) {
      Faults.mju_warning("smoke");
      Faults.mju_error("fire");
      Faults.mju_error("ashes");
      MujocoException thrown = assertThrows(MujocoException.class, simulation::forward);
      assertTrue(thrown.getMessage().endsWith("failed in the pendulum simulation: fire"));
    }
  }

  @Test
  void aWarningIsThrownAndDoesNoHarm() {
    try (Simulation simulation = Pendulum.open()) {
      simulation.ctrl().set(0, Double.NaN);
      MujocoException thrown = assertThrows(MujocoException.class, () -> simulation.step(1));
      assertTrue(
          thrown.getMessage().startsWith("MuJoCo warned in the pendulum simulation: ")
              && thrown.getMessage().contains("CTRL"),
          thrown.getMessage());
      simulation.reset();
      assertTrue(simulation.step(10));
    }
  }

  @Test
  void aBlownUpStateIsToldByTheStepUntilAReset() {
    try (Simulation simulation = Pendulum.open()) {
      for (double bad : new double[] {Double.NaN, Double.NEGATIVE_INFINITY, 1e11}) {
        for (View view : new View[] {simulation.qpos(), simulation.qvel()}) {
          simulation.reset();
          assertTrue(simulation.step(5));
          view.set(0, bad);
          assertFalse(simulation.step(1));
          assertEquals(0, simulation.qpos().get(0), "back at the model's own start");
          assertFalse(simulation.controlStep(1), "and still told");
          simulation.reset();
          simulation.forwardKinematics();
          assertTrue(simulation.controlStep(3));
        }
      }
    }
  }

  @Test
  void oneThreadsComplaintsNeverReachAnother() throws InterruptedException {
    AtomicBoolean stop = new AtomicBoolean();
    Thread noisy =
        new Thread(
            () -> {
              try (Simulation simulation = Pendulum.open()) {
                while (!stop.get()) {
                  simulation.reset();
                  simulation.qpos().set(0, Double.NaN);
                  simulation.step(1);
                  simulation.reset();
                  simulation.ctrl().set(0, Double.NaN);
                  assertThrows(MujocoException.class, simulation::forward);
                }
              }
            });
    noisy.start();
    try (Simulation simulation = Pendulum.open()) {
      simulation.qpos().set(0, 1);
      for (int i = 0; i < 20_000; i++) {
        assertTrue(simulation.step(1));
        simulation.forward();
      }
    } finally {
      stop.set(true);
      noisy.join();
    }
  }

  @Test
  void aMalformedModelIsRefusedInMujocosOwnWords() {
    MujocoException unclosed =
        assertThrows(MujocoException.class, () -> new Simulation("mine", "<mujoco><worldbody>"));
    assertTrue(
        unclosed
            .getMessage()
            .startsWith("MuJoCo does not accept the model 'mine': XML parse error"),
        unclosed.getMessage());
    MujocoException unknown =
        assertThrows(
            MujocoException.class, () -> new Simulation("mine", "<mujoco>\n<wheel/></mujoco>"));
    assertTrue(
        unknown.getMessage().contains("wheel") && unknown.getMessage().contains("line 2"),
        unknown.getMessage());
    MujocoException massless =
        assertThrows(
            MujocoException.class,
            () ->
                new Simulation(
                    "mine", "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>"));
    assertTrue(massless.getMessage().contains("mass"), massless.getMessage());
  }
}
