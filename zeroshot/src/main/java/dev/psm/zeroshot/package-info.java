/**
 * A pretrained agent, loaded, asked and acted by: all that a program needs which only uses models.
 * It knows neither how agents are trained nor any simulator; what it needs to know of a world, the
 * model carries with it.
 */
package dev.psm.zeroshot;
