/**
 * Work on the machines of an Apache Spark cluster. One task of work is one task of Spark's: Spark
 * knows which machines there are, what is free on them and which were lost, and psm what is
 * computed.
 */
package dev.psm.spark;
