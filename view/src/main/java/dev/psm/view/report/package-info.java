/**
 * Self-contained reports: SVG figures and an HTML page around them, in one file that needs no
 * script, no network and no second file, so that it can be mailed, archived and still be read in
 * ten years. Figures inherit the page's text colour and so follow its light and dark modes.
 */
package dev.psm.view.report;
