/**
 * Rewards as functions of named quantities: an environment publishes what can be measured in it,
 * and a task is a formula over that, so that the same task is paid online, put on stored states
 * afterwards, and written by a user.
 */
package dev.psm.core.reward;
