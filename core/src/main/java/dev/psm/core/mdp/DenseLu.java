package dev.psm.core.mdp;

/**
 * LU factors of a dense matrix without pivoting.
 *
 * <p>Only for matrices that need none: I − γP is strictly diagonally dominant by rows and its
 * transpose by columns, and a Gram matrix is positive definite. Keeping the order of the rows lets
 * one factorisation serve the transpose, too, and skips the zeros of sparse rows.
 */
final class DenseLu {
  private final double[][] rows;

  /** Factorises in place; the matrix belongs to the factors from here on. */
  DenseLu(double[][] matrix) {
    rows = matrix;
    for (int k = 0; k < rows.length; k++) {
      double[] pivotRow = rows[k];
      double pivot = pivotRow[k];
      for (int i = k + 1; i < rows.length; i++) {
        if (rows[i][k] != 0) {
          double factor = rows[i][k] / pivot;
          subtract(rows[i], factor, pivotRow, k + 1);
          rows[i][k] = factor;
        }
      }
    }
  }

  private static void subtract(double[] target, double factor, double[] source, int from) {
    for (int j = from; j < target.length; j++) {
      target[j] -= factor * source[j];
    }
  }

  /** Solves A x = y in place. */
  void solve(double[] x) {
    for (int i = 0; i < x.length; i++) {
      double sum = x[i];
      for (int j = 0; j < i; j++) {
        sum -= rows[i][j] * x[j];
      }
      x[i] = sum;
    }
    for (int i = x.length - 1; i >= 0; i--) {
      double sum = x[i];
      for (int j = i + 1; j < x.length; j++) {
        sum -= rows[i][j] * x[j];
      }
      x[i] = sum / rows[i][i];
    }
  }

  /** Solves Aᵀ x = y in place. */
  void solveTransposed(double[] x) {
    for (int i = 0; i < x.length; i++) {
      x[i] /= rows[i][i];
      for (int j = i + 1; j < x.length; j++) {
        x[j] -= rows[i][j] * x[i];
      }
    }
    for (int i = x.length - 1; i >= 0; i--) {
      for (int j = 0; j < i; j++) {
        x[j] -= rows[i][j] * x[i];
      }
    }
  }

  /** Solves A X = Y in place for many right-hand sides, {@code x[row][side]}. */
  void solve(double[][] x) {
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < i; j++) {
        if (rows[i][j] != 0) {
          subtract(x[i], rows[i][j], x[j], 0);
        }
      }
    }
    for (int i = x.length - 1; i >= 0; i--) {
      for (int j = i + 1; j < x.length; j++) {
        if (rows[i][j] != 0) {
          subtract(x[i], rows[i][j], x[j], 0);
        }
      }
      for (int side = 0; side < x[i].length; side++) {
        x[i][side] /= rows[i][i];
      }
    }
  }
}
