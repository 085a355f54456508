/**
 * Options as plain records: one {@link dev.psm.core.settings.Setting} sentence per component is the
 * single source of the command-line help, of the file format and of the error messages.
 */
package dev.psm.core.settings;
