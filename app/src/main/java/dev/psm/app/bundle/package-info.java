/**
 * Packages of psm for machines without Java, Maven or the internet: a folder with everything in it,
 * or the same as parts of a size that can be carried.
 */
package dev.psm.app.bundle;
