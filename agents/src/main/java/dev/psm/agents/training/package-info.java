/**
 * How agents learn from recorded experience, whatever they learn: the data as a tensor, the random
 * inputs of a step, steps that a GPU replays, metrics, checkpoints, and several seeds side by side.
 * What a step computes is its agent's.
 */
package dev.psm.agents.training;
