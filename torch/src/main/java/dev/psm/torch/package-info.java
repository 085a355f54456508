/**
 * The thin layer over libtorch: tensors in and out, named parameters, networks, the optimiser and
 * target averages. It knows nothing of agents. Only classes of this room and of the agents touch
 * native memory.
 */
package dev.psm.torch;
