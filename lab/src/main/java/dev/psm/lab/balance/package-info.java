/**
 * Data in which every place is visited about equally, made of other data: segments of its episodes,
 * drawn the more often the less their cells are visited. Features are orthonormal under the data's
 * distribution, so a place that is hardly visited gets hardly any of their dimensions.
 */
package dev.psm.lab.balance;
