/**
 * Films of what an agent does, drawn without a graphics card, a window or a native library: the
 * solids of a {@link dev.psm.core.scene scene} are cast ray by ray into an {@link
 * dev.psm.view.render.Image}, and images become an animated GIF that every browser and README
 * plays. The same scene gives the same pixels on every run, whatever the number of threads.
 */
package dev.psm.view.render;
