/**
 * Sweeps: agents × worlds × settings × seeds as a small document, the trials that it means, and the
 * table and page that grow as they end.
 */
package dev.psm.lab.sweep;
