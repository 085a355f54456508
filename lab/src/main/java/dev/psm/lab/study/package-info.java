/**
 * Many runs that belong together, on one machine or on many: the engine of all of them, and the
 * paper's tables and figures. Each run is kept on disk, so that a study that was interrupted is
 * finished later and one that grows only does what is missing.
 */
package dev.psm.lab.study;
