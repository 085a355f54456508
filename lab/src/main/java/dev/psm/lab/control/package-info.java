/**
 * Continuous agents: pretraining that may be stopped at any moment and goes on as if it had not
 * been.
 */
package dev.psm.lab.control;
