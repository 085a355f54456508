/**
 * Gathering reward-free experience: many environments at once, an exploration policy, a dataset
 * that survives a kill at any moment, and a look at what was covered.
 */
package dev.psm.lab.collect;
