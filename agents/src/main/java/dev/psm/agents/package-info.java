/**
 * The learning algorithms, and what all of them are to the rest: an {@link dev.psm.agents.Agent} is
 * declared beside its algorithm and listed in {@link dev.psm.agents.Agents}; its {@link
 * dev.psm.agents.Trainer} learns from reward-free data and leaves a {@link dev.psm.agents.Model}
 * that turns any reward into a policy. Trainers know models, models never know trainers.
 */
package dev.psm.agents;
