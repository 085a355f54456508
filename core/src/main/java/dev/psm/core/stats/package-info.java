/**
 * The statistics that a comparison of learning algorithms needs when there are few seeds:
 * summaries, the interquartile mean with a bootstrap interval, and a rank test with exact
 * small-sample p-values.
 */
package dev.psm.core.stats;
