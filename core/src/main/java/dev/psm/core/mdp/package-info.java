/**
 * Finite Markov decision processes and the exact theory of the paper's section 4: the Bellman flow,
 * the affine set of visitations, successor measures, and the linear programme that turns a reward
 * into an optimal policy.
 */
package dev.psm.core.mdp;
