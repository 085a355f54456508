package dev.psm.lab.balance;

import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import dev.psm.lab.Progress;
import dev.psm.lab.collect.StoredStates;
import dev.psm.lab.compute.WorkContext;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The cell of every state of a dataset, in the order of the rows. They are needed twice more once
 * all are counted, and would not fit the memory, so they wait in a file.
 */
final class CellFile {
  /** Large enough that opening the engine anew for each does not show. */
  private static final int BLOCK = 1 << 16;

  private final Path file;

  private CellFile(Path file) {
    this.file = file;
  }

  /** Measures all states. */
  static CellFile write(
      Path file, StoredStates states, BalanceCells cells, long rows, WorkContext context) {
    try (DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
        Progress.Bar bar = context.progress().start("measure", rows)) {
      bar.update(0, "");
      for (long row = 0; row < rows; row += BLOCK) {
        requireWanted(context);
        int count = (int) Math.min(BLOCK, rows - row);
        for (int cell : cells.of(states.measure(cells.quantities(), row, count))) {
          out.writeInt(cell);
        }
        bar.update(row + count, "");
      }
    } catch (IOException e) {
      throw AtomicFiles.explain("write", file, e);
    }
    return new CellFile(file);
  }

  static void requireWanted(WorkContext context) {
    if (context.stop().getAsBoolean()) {
      throw UserError.failed(null, "stopped before the end; nothing was written");
    }
  }

  /** Reads from the first row on. */
  Reader read() {
    try {
      return new Reader(
          new DataInputStream(new BufferedInputStream(Files.newInputStream(file))), file);
    } catch (IOException e) {
      throw AtomicFiles.explain("read", file, e);
    }
  }

  void delete() {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw AtomicFiles.explain("delete", file, e);
    }
  }

  /** One cell after the other. */
  static final class Reader implements AutoCloseable {
    private final DataInputStream in;
    private final Path file;

    private Reader(DataInputStream in, Path file) {
      this.in = in;
      this.file = file;
    }

    int next() {
      try {
        return in.readInt();
      } catch (IOException e) {
        throw AtomicFiles.explain("read", file, e);
      }
    }

    @Override
    public void close() {
      try {
        in.close();
      } catch (IOException e) {
        throw AtomicFiles.explain("read", file, e);
      }
    }
  }
}
