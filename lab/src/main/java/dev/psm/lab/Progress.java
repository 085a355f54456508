package dev.psm.lab;

/**
 * Where long work says how far it is. The command line draws a bar; a log gets a line now and then.
 */
public interface Progress {

  /** Begins a piece of work of {@code total} units. */
  Bar start(String label, long total);

  /** One piece of work. */
  interface Bar extends AutoCloseable {
    /**
     * Says that {@code done} units are done; the note is a few words, such as the newest figure.
     */
    void update(long done, String note);

    @Override
    void close();
  }

  /** Says nothing. */
  Progress SILENT =
      (label, total) ->
          new Bar() {
            @Override
            public void update(long done, String note) {}

            @Override
            public void close() {}
          };
}
