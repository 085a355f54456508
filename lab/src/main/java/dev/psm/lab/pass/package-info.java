/**
 * Passes over datasets of any size, cut into parts that any workers perform. How a dataset is cut
 * depends on the dataset alone and answers are taken in the order of the parts, so the result is
 * the same for any number of workers, to the bit.
 */
package dev.psm.lab.pass;
