/**
 * Laplacian features with successor features for discrete actions, the paper's spectral baseline.
 */
package dev.psm.agents.laplacian;
