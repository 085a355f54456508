package dev.psm.app;

import dev.psm.lab.Progress;
import java.io.PrintStream;
import java.util.Locale;

/** A bar with rate and time left on a terminal; in a log, a line at every quarter. */
final class TerminalProgress implements Progress {
  private static final int WIDTH = 24;
  private static final long REDRAW_NANOS = 100_000_000L;

  private final PrintStream out;
  private final boolean terminal;

  TerminalProgress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  @Override
  public Bar start(String label, long total) {
    return new Drawn(label, total);
  }

  private final class Drawn implements Bar {
    private final String label;
    private final long total;
    private final long start = System.nanoTime();
    private long lastDraw;
    private long quartersSaid;
    private long done;
    private String note = "";

    Drawn(String label, long total) {
      this.label = label;
      this.total = total;
    }

    @Override
    public synchronized void update(long newDone, String newNote) {
      done = newDone;
      note = newNote;
      long now = System.nanoTime();
      if (terminal && now - lastDraw >= REDRAW_NANOS) {
        lastDraw = now;
        out.print("\r\033[K" + line(now));
        out.flush();
      } else if (!terminal && total > 0 && done * 4 / total > quartersSaid) {
        quartersSaid = done * 4 / total;
        out.println("psm: " + line(now));
      }
    }

    @Override
    public synchronized void close() {
      if (terminal) {
        out.println("\r\033[K" + line(System.nanoTime()));
      }
    }

    private String line(long now) {
      double seconds = (now - start) / 1e9;
      double rate = seconds > 0 ? done / seconds : 0;
      String bar = "";
      if (terminal) {
        int filled = total == 0 ? WIDTH : (int) (WIDTH * done / total);
        bar = "█".repeat(filled) + "░".repeat(WIDTH - filled) + " ";
      }
      String left =
          done >= total
              ? "took " + clock(seconds)
              : rate > 0 ? clock((total - done) / rate) + " left" : "";
      return Printable.text(
          String.format(
              Locale.ROOT,
              "%s %s%d/%d  %s/s  %s%s",
              label,
              bar,
              done,
              total,
              rate >= 10
                  ? Long.toString(Math.round(rate))
                  : String.format(Locale.ROOT, "%.1f", rate),
              left,
              note.isEmpty() ? "" : "  " + note));
    }

    private static String clock(double seconds) {
      long whole = Math.round(seconds);
      return whole >= 60 ? whole / 60 + " min " + whole % 60 + " s" : whole + " s";
    }
  }
}
