/**
 * The pure-Java foundation: finite MDPs and their exact theory, environments, file formats,
 * statistics and reports. Nothing here loads native code.
 */
package dev.psm.core;
