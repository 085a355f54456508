/**
 * Task vectors of many rewards in one pass over a dataset of any size, each with its standard
 * error. A {@link dev.psm.lab.infer.Pilot} looks at a bounded sample of the states; then every part
 * of the pass adds up {@link dev.psm.lab.infer.RewardSums}, of which the task vectors follow.
 */
package dev.psm.lab.infer;
