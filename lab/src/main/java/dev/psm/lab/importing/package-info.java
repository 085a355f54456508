/**
 * Other people's data: episodes out of ExoRL, OGBench, D4RL and Minari files, each format one file.
 */
package dev.psm.lab.importing;
