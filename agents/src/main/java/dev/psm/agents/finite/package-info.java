/**
 * Agents of worlds whose states are few and known: what they have in common, and the paper's
 * baselines for them, Forward-Backward and Laplacian. Their data is the world's whole transition
 * table, their models answer with action values of every state.
 */
package dev.psm.agents.finite;
