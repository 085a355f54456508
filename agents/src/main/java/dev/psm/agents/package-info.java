/**
 * The learning algorithms. Each learns from reward-free data and leaves a {@link
 * dev.psm.agents.FiniteModel} that turns any reward into action values; trainers know models,
 * models never know trainers.
 */
package dev.psm.agents;
