/**
 * Experiments as plain programs over the rooms below: pretrain, solve, evaluate, reproduce.
 * Everything here returns data or writes files; what is printed is the command line's business.
 */
package dev.psm.lab;
