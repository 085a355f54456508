/** What the page asks of runs: which there are, what they log as they learn, how they were made. */
package dev.psm.studio.runs;
