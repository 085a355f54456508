/** Benchmarks against peers, outside the test run. Speeds are compared as ratios within one run. */
package dev.psm.bench;
