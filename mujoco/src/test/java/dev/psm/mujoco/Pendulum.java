package dev.psm.mujoco;

/** The smallest model that has one of everything the engine's tests look at. */
final class Pendulum {
  static final String MJCF =
      """
      <mujoco>
        <worldbody>
          <body name="rod">
            <joint name="hinge" axis="0 1 0"/>
            <geom name="bob" size="0.05" pos="0 0 -1" mass="1"/>
            <site name="tip" pos="0 0 -1"/>
          </body>
        </worldbody>
        <actuator><motor name="motor" joint="hinge"/></actuator>
        <sensor><jointpos name="angle" joint="hinge"/></sensor>
      </mujoco>
      """;

  private Pendulum() {}

  static Simulation open() {
    return new Simulation("pendulum", MJCF);
  }
}
