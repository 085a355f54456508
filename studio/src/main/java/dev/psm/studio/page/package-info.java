/** The studio: what the page asks of the agents, worlds and runs of this machine. */
package dev.psm.studio.page;
