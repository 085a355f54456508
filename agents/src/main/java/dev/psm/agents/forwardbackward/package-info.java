/** Forward-Backward representations for discrete actions, the paper's strongest baseline. */
package dev.psm.agents.forwardbackward;
