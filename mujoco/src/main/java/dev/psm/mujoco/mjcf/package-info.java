/**
 * Any MJCF file as a world: its sensors and joints are the quantities, its actuators the actions,
 * and an optional {@code NAME.psm.json} beside it says what else there is to say.
 *
 * <p>Episodes, stored states and drawing are those of {@link dev.psm.mujoco.suite}.
 */
package dev.psm.mujoco.mjcf;
