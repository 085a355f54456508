/**
 * The explorer that collects reward-free data for continuous actions: DDPG on the prediction error
 * of a random network, as in the Unsupervised RL Benchmark and ExoRL.
 */
package dev.psm.agents.rnd;
