/**
 * The paper's continuous environments on MuJoCo: the control suite's walker, cheetah and quadruped,
 * the point-mass maze of ExoRL, and FetchReach; one file each, with its model in the resources.
 *
 * <p>A {@link dev.psm.mujoco.suite.Domain} is the physics with its measurements and tasks; a {@link
 * dev.psm.mujoco.suite.PhysicsEnvironment} makes episodes of it.
 */
package dev.psm.mujoco.suite;
