/**
 * The MuJoCo engine from Java: finding the library, the layout of its structures per version, and a
 * {@link dev.psm.mujoco.Simulation} that owns its native memory.
 *
 * <p>Nothing here knows a robot or a task; those are in {@link dev.psm.mujoco.suite}.
 */
package dev.psm.mujoco;
