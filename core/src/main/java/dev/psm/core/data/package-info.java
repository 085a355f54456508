/** Reward-free experience: what an agent learns from before any reward is known. */
package dev.psm.core.data;
