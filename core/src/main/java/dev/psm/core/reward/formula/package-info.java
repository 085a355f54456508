/**
 * The reward language: a formula over an environment's named quantities, read by a small bounded
 * parser and compiled to a program that works on whole columns.
 *
 * <p>Text comes from strangers, so length, depth and cost are limited before anything is built, and
 * every mistake is told with a mark under its column. See docs/reward-language.md.
 */
package dev.psm.core.reward.formula;
