/**
 * From reward-free experience to an agent that takes any reward and acts, the same for a grid and a
 * robot: training runs that can be stopped and trusted, the agents they leave behind, what those
 * are worth, and studies of many runs.
 */
package dev.psm.lab.run;
