/**
 * The environment interface, with Gymnasium's names and meanings, and the grids: maps drawn in
 * text, the task of walking to a goal on them, and the oracle that grades a policy.
 *
 * <p>An environment knows nothing of agents or datasets; it only answers actions with observations.
 */
package dev.psm.core.env;
