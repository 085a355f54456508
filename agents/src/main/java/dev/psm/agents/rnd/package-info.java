/**
 * The explorer that collects reward-free data by the prediction error of a random network: DDPG for
 * vectors as actions, as in the Unsupervised RL Benchmark and ExoRL, and double DQN for numbered
 * ones.
 */
package dev.psm.agents.rnd;
