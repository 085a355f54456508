package dev.psm.core.data;

import dev.psm.core.UserError;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reward-free episodes, read at memory speed from files that may be larger than memory.
 *
 * <p>The files are mapped: the operating system keeps the parts in use, and the heap holds only a
 * few bytes per episode. Every state has a row, numbered through the whole dataset; an episode of T
 * transitions has T + 1 consecutive rows, and the transition from row r leads to row r + 1. Rows
 * never change, also when a writer adds more.
 *
 * <p>What is drawn depends only on the generator: row numbers, with which their columns are read
 * here or wherever a copy of them lies. Any number of threads may read.
 *
 * <p>An open dataset is what its manifest said at that moment; a writer may go on beside it. After
 * {@link #close} every access is refused, and the mapping goes when the garbage collector finds it
 * unused: to unmap at once would let a late access bring down the whole process.
 */
public final class Dataset implements AutoCloseable {
  private final Path folder;
  private final Manifest manifest;
  private final DatasetDescription description;
  private final Columns columns;
  private final String fingerprint;
  private final Intervals chunkRows;
  private final Intervals episodeRows;
  private final Intervals episodeTransitions;
  private volatile Chunk[] chunks;

  private Dataset(Path folder, Manifest manifest, List<Chunk> opened) {
    this.folder = folder;
    this.manifest = manifest;
    this.description = manifest.description();
    this.columns = description.columns();
    this.fingerprint = manifest.fingerprint();
    this.chunks = opened.toArray(new Chunk[0]);
    int episodes = Math.toIntExact(manifest.episodes());
    long[] chunkStarts = new long[chunks.length + 1];
    long[] rowStarts = new long[episodes + 1];
    long[] transitionStarts = new long[episodes + 1];
    int episode = 0;
    for (int chunk = 0; chunk < chunks.length; chunk++) {
      for (long length : chunks[chunk].lengths()) {
        rowStarts[episode + 1] = rowStarts[episode] + length + 1;
        transitionStarts[episode + 1] = transitionStarts[episode] + length;
        episode++;
      }
      chunkStarts[chunk + 1] = rowStarts[episode];
    }
    this.chunkRows = new Intervals(chunkStarts);
    this.episodeRows = new Intervals(rowStarts);
    this.episodeTransitions = new Intervals(transitionStarts);
  }

  /** Whether a folder holds a dataset, complete or begun. */
  public static boolean isIn(Path folder) {
    return Manifest.isIn(folder);
  }

  /** How many episodes the dataset in a folder holds; none where it was only begun. */
  public static long episodesIn(Path folder) {
    return Manifest.read(folder).episodes();
  }

  /**
   * Opens a dataset; its contents are not verified, which {@link #requireIntact} and {@link
   * DatasetCheck} do.
   */
  public static Dataset open(Path folder) {
    Manifest manifest = Manifest.read(folder);
    if (manifest.chunks().isEmpty()) {
      throw UserError.invalid("the dataset in %s holds no episode yet; collect some first", folder);
    }
    return new Dataset(folder, manifest, Chunk.openAll(folder, manifest));
  }

  /**
   * Compares every file with its hash, on all cores; a changed one is refused by name. For whoever
   * is about to read everything anyway.
   */
  public void requireIntact() {
    requireIntact(manifest.chunks().parallelStream());
  }

  /**
   * The same, on this thread, for the files whose first row is one of these: so that whoever reads
   * a part of the rows looks at every file once, together with those who read the others.
   */
  public void requireIntact(long firstRow, long endRow) {
    requireIntact(
        IntStream.range(0, chunkRows.count())
            .filter(chunk -> chunkRows.start(chunk) >= firstRow && chunkRows.start(chunk) < endRow)
            .mapToObj(manifest.chunks()::get));
  }

  private void requireIntact(Stream<Manifest.ChunkEntry> files) {
    files
        .map(this::damage)
        .flatMap(Optional::stream)
        .findFirst()
        .ifPresent(
            damage -> {
              throw damage;
            });
  }

  /** An exception that leaves a parallel stream by itself may be replaced by a copy. */
  private Optional<UserError> damage(Manifest.ChunkEntry chunk) {
    try {
      chunk.stored().requireIntact(folder);
      return Optional.empty();
    } catch (UserError e) {
      return Optional.of(e);
    }
  }

  public Path folder() {
    return folder;
  }

  public DatasetDescription description() {
    return description;
  }

  public Columns columns() {
    return columns;
  }

  /** The same for two datasets with the same rows, wherever they lie: a SHA-256 in hex. */
  public String fingerprint() {
    return fingerprint;
  }

  public long rows() {
    return episodeRows.end();
  }

  public long transitions() {
    return episodeTransitions.end();
  }

  public int episodes() {
    return episodeRows.count();
  }

  public long firstRow(int episode) {
    return episodeRows.start(episode);
  }

  /** The row of the state that an episode ended in, from which no transition leads on. */
  public long lastRow(int episode) {
    return episodeRows.start(episode + 1) - 1;
  }

  /** The episode that a row belongs to. */
  public int episodeOf(long row) {
    return episodeRows.of(checkRow(row));
  }

  /** A copy of an episode. */
  public Episode episode(int episode) {
    long first = firstRow(episode);
    int rows = (int) (lastRow(episode) - first + 1);
    int chunk = chunkRows.of(first);
    Chunk held = open()[chunk];
    int start = (int) (first - chunkRows.start(chunk));
    return guarded(() -> held.episode(start, rows, columns));
  }

  /** The row of the first state of a uniformly random transition. */
  public long drawRow(RandomGenerator random) {
    long transition = random.nextLong(transitions());
    // Every earlier episode has one row more than transitions.
    return transition + episodeTransitions.of(transition);
  }

  /**
   * The row of a later state of the same episode, {@code k ≥ 1} strides on with probability {@code
   * (1 - strideDiscount) strideDiscount^(k-1)}, where all beyond the episode's end fall on the last
   * row that strides reach: the goals of HILP. A discount of 0 gives the next one.
   *
   * @param strideDiscount of a whole stride, not of one of its steps
   * @param stride in rows
   */
  public long futureRow(long row, RandomGenerator random, double strideDiscount, int stride) {
    if (!(strideDiscount >= 0 && strideDiscount < 1)) {
      throw new IllegalArgumentException("a discount from 0 to below 1, found " + strideDiscount);
    }
    if (stride < 1) {
      throw new IllegalArgumentException("a stride of at least 1, found " + stride);
    }
    long strides = (lastWithFuture(row) - row) / stride;
    if (strides < 1) {
      throw new IllegalArgumentException(
          "no stride of %d leads on from row %d in its episode".formatted(stride, row));
    }
    // The inverse of the distribution function; StrictMath gives the same row on every machine.
    double beyond = StrictMath.log(1 - random.nextDouble()) / StrictMath.log(strideDiscount);
    return row + stride * (1 + Math.min((long) beyond, strides - 1));
  }

  /** The row of a later state of the same episode, all equally likely. */
  public long uniformFutureRow(long row, RandomGenerator random) {
    long last = lastWithFuture(row);
    return random.nextLong(row + 1, last + 1);
  }

  /** Copies the observations of any rows, in their order. */
  public void gatherObservations(long[] rows, float[] out) {
    Chunk[] open = open();
    int width = columns.observation();
    guarded(
        () -> {
          for (int i = 0; i < rows.length; i++) {
            int chunk = chunkRows.of(checkRow(rows[i]));
            int local = (int) (rows[i] - chunkRows.start(chunk));
            open[chunk].observation().get(local * width, out, i * width, width);
          }
          return null;
        });
  }

  /** Copies the observations of consecutive rows. */
  public void observations(long row, int count, float[] out, int at) {
    int width = columns.observation();
    copyRows(
        (chunk, from, n, to) -> chunk.observation().get(from, out, to, n), row, count, width, at);
  }

  /** Copies the actions that led to consecutive rows: zeros for an episode's first. */
  public void actions(long row, int count, float[] out, int at) {
    int width = columns.action();
    copyRows((chunk, from, n, to) -> chunk.action().get(from, out, to, n), row, count, width, at);
  }

  /** Copies the discounts of the steps that led to consecutive rows: 1 for an episode's first. */
  public void discounts(long row, int count, float[] out, int at) {
    copyRows((chunk, from, n, to) -> chunk.discount().get(from, out, to, n), row, count, 1, at);
  }

  /** Copies the physics of consecutive rows. */
  public void physics(long row, int count, double[] out, int at) {
    if (columns.physics() == 0) {
      throw UserError.invalid(
          "the dataset in %s has no physics, so its rewards cannot be computed anew", folder);
    }
    int width = columns.physics();
    copyRows((chunk, from, n, to) -> chunk.physics().get(from, out, to, n), row, count, width, at);
  }

  /** Copies an extra column of consecutive rows. */
  public void extra(String column, long row, int count, float[] out, int at) {
    Integer width = columns.extras().get(column);
    if (width == null) {
      throw UserError.invalid(
          "the dataset in %s has no column '%s'; beside the usual ones it has %s",
          folder, column, columns.extras().keySet());
    }
    copyRows(
        (chunk, from, n, to) -> chunk.extra(column).get(from, out, to, n), row, count, width, at);
  }

  @Override
  public void close() {
    chunks = null;
  }

  private interface Copy {
    void run(Chunk chunk, int from, int numbers, int to);
  }

  private void copyRows(Copy copy, long row, int count, int width, int at) {
    if (count < 0 || row < 0 || row > rows() - count) {
      throw new IndexOutOfBoundsException(
          "rows %d to %d of %d".formatted(row, row + count - 1, rows()));
    }
    Chunk[] open = open();
    guarded(
        () -> {
          for (int done = 0; done < count; ) {
            int index = chunkRows.of(row + done);
            int n = (int) Math.min(count - done, chunkRows.start(index + 1) - row - done);
            int local = (int) (row + done - chunkRows.start(index));
            copy.run(open[index], local * width, n * width, at + done * width);
            done += n;
          }
          return null;
        });
  }

  /** A fault in a mapped file reaches Java as this error. */
  private <T> T guarded(Supplier<T> access) {
    try {
      return access.get();
    } catch (InternalError e) {
      throw lostFile(e);
    }
  }

  private UserError lostFile(InternalError e) {
    return UserError.failed(
        e,
        "a file of the dataset in %s was cut short, or its disk failed, while it was in use",
        folder);
  }

  private long lastWithFuture(long row) {
    long last = lastRow(episodeOf(row));
    if (row == last) {
      throw new IllegalArgumentException("row " + row + " is the last of its episode");
    }
    return last;
  }

  private long checkRow(long row) {
    if (row < 0 || row >= rows()) {
      throw new IndexOutOfBoundsException("row %d of %d".formatted(row, rows()));
    }
    return row;
  }

  private Chunk[] open() {
    Chunk[] open = chunks;
    if (open == null) {
      throw new IllegalStateException("the dataset in " + folder + " is closed");
    }
    return open;
  }
}
