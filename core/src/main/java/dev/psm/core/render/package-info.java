/**
 * Films of what an agent does, drawn without a graphics card, a window or a native library: simple
 * solids are cast ray by ray into an {@link dev.psm.core.render.Image}, and images become an
 * animated GIF that every browser and README plays.
 *
 * <p>Shapes, rotations and the free camera follow MuJoCo's conventions, so that geometry read from
 * a model can be handed over as it is; z points up. The same scene gives the same pixels on every
 * run, whatever the number of threads.
 */
package dev.psm.core.render;
