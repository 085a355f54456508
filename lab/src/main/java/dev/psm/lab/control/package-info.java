/**
 * Continuous control: from a dataset to an agent that takes any reward and acts. Training runs that
 * can be stopped and trusted, the agents they leave behind, and what those are worth.
 */
package dev.psm.lab.control;
