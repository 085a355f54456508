/**
 * Agents for numbered actions in worlds whose states are vectors: affine PSM on sampled meshes,
 * Forward-Backward and Laplacian. Each algorithm is one file; what they share is beside them. Every
 * tensor has a leading axis of seeds, so that many seeds train side by side.
 */
package dev.psm.agents.discrete;
