package dev.psm.bench.fuzz;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.bench.TemporaryFolder;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.lab.Machine;
import dev.psm.lab.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How psm's readers stand up to damaged and hostile files. */
public final class FuzzBench {
  private static final long MAX_GROWTH = 1L << 30;

  private FuzzBench() {}

  /** What was found: a document, and the same for people. */
  public record Result(ObjectNode json, String text, int findings) {}

  /**
   * Tries damaged files.
   *
   * @param count of each kind
   * @param out where files go that break a promise
   */
  public static Result run(
      Collection<FuzzKind> kinds, long count, long seed, Path out, Progress progress) {
    ObjectNode document = Json.object();
    document.put("seed", seed).put("maxHeapMegabytes", Runtime.getRuntime().maxMemory() >> 20);
    ArrayNode list = document.putArray("kinds");
    StringBuilder text = new StringBuilder();
    int findings = 0;
    for (FuzzKind kind : kinds) {
      try (TemporaryFolder folder = TemporaryFolder.in(quickPlace())) {
        FuzzRun run = new FuzzRun(kind, kind.targets(folder.path()), seed);
        long before = residentBytes();
        long start = System.nanoTime();
        run.run(count, progress);
        double seconds = (System.nanoTime() - start) / 1e9;
        long growth = residentBytes() - before;
        ObjectNode node = list.addObject();
        node.put("kind", kind.id()).put("cases", run.cases()).put("seconds", seconds);
        node.put("read", run.accepted()).put("refused", run.refused());
        node.put("slowestMilliseconds", run.slowestMilliseconds());
        node.put("mostMegabytesForOne", run.mostMegabytes());
        node.put("residentGrowthMegabytes", growth / 1e6);
        text.append(
            String.format(
                Locale.ROOT,
                "%-12s %,d cases in %.0f s (%,.0f a second): %,d read, %,d refused in words;"
                    + " slowest %.1f ms, at most %.1f MB for one, resident %+.0f MB%n",
                kind.id(),
                run.cases(),
                seconds,
                run.cases() / seconds,
                run.accepted(),
                run.refused(),
                run.slowestMilliseconds(),
                run.mostMegabytes(),
                growth / 1e6));
        ArrayNode broken = node.putArray("findings");
        for (FuzzRun.Finding finding : run.findings()) {
          findings++;
          report(finding, out, broken, text);
        }
        if (growth > MAX_GROWTH) {
          findings++;
          broken.addObject().put("what", "memory grew by more than 1 GB");
          text.append("  FINDING: memory grew by more than 1 GB\n");
        }
      }
    }
    return new Result(document, text.toString().stripTrailing(), findings);
  }

  /** Without what is free in Java's heap: a collector keeps gigabytes of it for later. */
  private static long residentBytes() {
    // What was never closed is freed by a thread of JavaCPP's own, some time after a collection.
    for (int i = 0; i < 3; i++) {
      System.gc();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
    }
    return Machine.residentBytes() - Runtime.getRuntime().freeMemory();
  }

  /**
   * A file system in memory where there is one: on a disk, most of the time would go to writing.
   */
  private static Path quickPlace() {
    Path memory = Path.of("/dev/shm");
    return Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
  }

  private static void report(
      FuzzRun.Finding finding, Path out, ArrayNode list, StringBuilder text) {
    Path file = out.resolve("%s-%d".formatted(finding.kind().id(), finding.number()));
    try {
      Files.createDirectories(out);
      Files.write(file, finding.contents());
    } catch (IOException e) {
      throw AtomicFiles.explain("write", file, e);
    }
    list.addObject()
        .put("case", finding.number())
        .put("target", finding.target())
        .put("what", finding.what())
        .put("count", finding.count())
        .put("file", file.toString());
    text.append(
        "  FINDING: case %d (%s, %d alike), kept as %s: %s%n"
            .formatted(finding.number(), finding.target(), finding.count(), file, finding.what()));
  }
}
