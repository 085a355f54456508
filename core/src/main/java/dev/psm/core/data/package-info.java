/**
 * Reward-free experience: what an agent learns from before any reward is known.
 *
 * <p>A finite environment's experience is a {@link dev.psm.core.mdp.TransitionTable}. Everything
 * else is episodes in a folder, written by {@link dev.psm.core.data.DatasetWriter} and sampled
 * through {@link dev.psm.core.data.Dataset}: {@code dataset.json} says what belongs to the dataset
 * and where it comes from, and each {@code chunk-000000.safetensors} holds whole episodes as
 * columns of T + 1 rows per episode ({@code observation}, {@code action}, {@code discount}, perhaps
 * {@code physics} and others) with the number of transitions of each in {@code episode_length}.
 */
package dev.psm.core.data;
