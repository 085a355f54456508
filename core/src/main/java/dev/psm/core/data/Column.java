package dev.psm.core.data;

import dev.psm.core.io.DType;

/**
 * One column of a chunk, with a row for every state.
 *
 * @param scalar whether a row is one number, stored without a second dimension
 */
record Column(String name, DType dtype, int width, boolean scalar) {

  long[] shape(long rows) {
    return scalar ? new long[] {rows} : new long[] {rows, width};
  }

  long bytes(long rows) {
    return rows * width * dtype.bytes();
  }
}
