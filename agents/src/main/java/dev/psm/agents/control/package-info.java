/**
 * Agents for continuous actions, all with the same networks, data and evaluation: factored PSM,
 * Forward-Backward, Laplacian, HILP and RLDP. Each algorithm is one file; what they share is beside
 * them. Every tensor has a leading axis of seeds, so that many seeds train side by side.
 */
package dev.psm.agents.control;
