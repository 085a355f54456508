/**
 * Work that is cut into tasks, and who performs them: the cores of this machine, a cluster, or a
 * queue. A task that was performed anywhere has the same answer.
 */
package dev.psm.lab.compute;
