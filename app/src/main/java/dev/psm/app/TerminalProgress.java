package dev.psm.app;

import dev.psm.core.Wording;
import dev.psm.lab.Progress;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * A bar with rate and time left on a terminal; in a log, a line at every tenth and at least once a
 * minute.
 */
final class TerminalProgress implements Progress {
  private static final int WIDTH = 24;
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final long REDRAW_NANOS = 100_000_000L;

  /** Tenths of quick work are not worth a line each. */
  private static final long SHORTEST_PAUSE_NANOS = 2_000_000_000L;

  private static final long LONGEST_PAUSE_NANOS = 60_000_000_000L;

  private final PrintStream out;
  private final boolean terminal;
  private final LongSupplier nanos;

  TerminalProgress(PrintStream out, boolean terminal) {
    this(out, terminal, System::nanoTime);
  }

  /**
   * @param nanos the clock
   */
  TerminalProgress(PrintStream out, boolean terminal, LongSupplier nanos) {
    this.out = out;
    this.terminal = terminal;
    this.nanos = nanos;
  }

  @Override
  public Bar start(String label, long total) {
    return new Drawn(label, total);
  }

  private final class Drawn implements Bar {
    private final String label;
    private final long total;
    private final long start = nanos.getAsLong();

    /** The rate is measured from the first update on: what comes before it is preparation. */
    private long firstTime;

    private long firstDone;
    private boolean updated;
    private long lastLine = start;
    private long tenthsSaid;
    private long done;
    private String note = "";

    Drawn(String label, long total) {
      this.label = label;
      this.total = total;
    }

    @Override
    public synchronized void update(long newDone, String newNote) {
      long now = nanos.getAsLong();
      if (!updated) {
        updated = true;
        firstTime = now;
        firstDone = newDone;
      }
      done = newDone;
      note = newNote;
      if (terminal && now - lastLine >= REDRAW_NANOS) {
        lastLine = now;
        out.print("\r\033[K" + line(now));
        out.flush();
      } else if (!terminal && isDue(now)) {
        lastLine = now;
        tenthsSaid = tenths();
        out.println("psm: " + line(now));
      }
    }

    private boolean isDue(long now) {
      boolean passed = tenths() > tenthsSaid;
      long pause = now - lastLine;
      return (passed && (done >= total || pause >= SHORTEST_PAUSE_NANOS))
          || pause >= LONGEST_PAUSE_NANOS;
    }

    private long tenths() {
      return total == 0 ? 0 : done * 10 / total;
    }

    @Override
    public synchronized void close() {
      if (terminal) {
        out.println("\r\033[K" + line(nanos.getAsLong()));
      }
    }

    private String line(long now) {
      boolean finished = done >= total;
      double seconds = (now - (finished ? start : firstTime)) / 1e9;
      double rate = seconds > 0 ? (finished ? done : done - firstDone) / seconds : 0;
      String bar = "";
      if (terminal) {
        int filled = total == 0 ? WIDTH : (int) (WIDTH * done / total);
        bar = "█".repeat(filled) + "░".repeat(WIDTH - filled) + " ";
      }
      StringBuilder text = new StringBuilder(label + " " + bar + done + "/" + total);
      if (rate > 0) {
        text.append("  ")
            .append(rate >= 10 ? Math.round(rate) : String.format(Locale.ROOT, "%.1f", rate))
            .append("/s");
      }
      if (finished) {
        text.append("  took ").append(clock(seconds));
      } else if (rate > 0) {
        text.append("  ").append(clock((total - done) / rate)).append(" left");
      }
      return Wording.printable(text + (note.isEmpty() ? "" : "  " + note));
    }

    private static String clock(double seconds) {
      long whole = Math.round(seconds);
      if (whole >= 2 * DAY) {
        return whole / DAY + " days";
      }
      if (whole >= 2 * HOUR) {
        return whole / HOUR + " h " + whole % HOUR / 60 + " min";
      }
      return whole >= 60 ? whole / 60 + " min " + whole % 60 + " s" : whole + " s";
    }
  }
}
