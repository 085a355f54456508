/**
 * Experiments as plain programs over the modules below: collect, import, pretrain, evaluate,
 * reproduce. Everything here returns data or writes files; what is printed is the command line's
 * business.
 */
package dev.psm.lab;
