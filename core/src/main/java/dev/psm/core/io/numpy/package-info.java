/**
 * NumPy's {@code .npy} and {@code .npz} files, the form in which datasets for reinforcement
 * learning are published. Such files come from strangers, so the reader is our own and believes
 * nothing: what a file says of itself is held against every other thing it says and against its
 * bytes, memory is bounded before it is taken, and pickled objects are never touched.
 */
package dev.psm.core.io.numpy;
