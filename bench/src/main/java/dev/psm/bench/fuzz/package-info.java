/**
 * Fuzzing of everything that psm reads: damaged files by the hundred thousand, each of which must
 * be read or refused in words that name it, quickly and in little memory.
 */
package dev.psm.bench.fuzz;
