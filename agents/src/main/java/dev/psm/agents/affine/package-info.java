/**
 * Affine Proto Successor Measure, the paper's agent for discrete actions: every policy's successor
 * measure is M = Φw + b, with a basis Φ and a bias b that no policy owns. Read {@link
 * dev.psm.agents.affine.AffinePsm} first.
 */
package dev.psm.agents.affine;
