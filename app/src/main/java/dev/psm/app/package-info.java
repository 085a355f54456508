/**
 * The {@code psm} command: parses what a user types, shows progress, and prints results as text or
 * JSON.
 */
package dev.psm.app;
