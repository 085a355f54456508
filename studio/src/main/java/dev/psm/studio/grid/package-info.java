/**
 * What the page asks of grids: agents and exact solutions of a map, what the agents have learned,
 * and pretraining for a map that has none yet.
 */
package dev.psm.studio.grid;
