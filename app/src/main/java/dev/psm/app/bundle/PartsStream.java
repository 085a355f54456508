package dev.psm.app.bundle;

import dev.psm.core.io.Hashes;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A stream cut into files of one size: psm-bundle.part-000, -001 and so on. */
final class PartsStream extends OutputStream {
  private static final String NAME = "psm-bundle.part-";

  private final Path folder;
  private final long partBytes;
  // Not sorted: as a word, part-1000 comes before part-101.
  private final Map<String, String> digests = new LinkedHashMap<>();
  private OutputStream part;
  private Path file;
  private long room;

  PartsStream(Path folder, long partBytes) {
    this.folder = folder;
    this.partBytes = partBytes;
  }

  static boolean isPart(String name) {
    return name.startsWith(NAME) && name.substring(NAME.length()).matches("\\d+");
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (room == 0) {
        endPart();
        file = folder.resolve(String.format(Locale.ROOT, "%s%03d", NAME, digests.size()));
        part = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
        room = partBytes;
      }
      int now = (int) Math.min(room, length - done);
      part.write(bytes, offset + done, now);
      room -= now;
      done += now;
    }
  }

  private void endPart() throws IOException {
    if (part != null) {
      part.close();
      part = null;
      digests.put(file.getFileName().toString(), Hashes.sha256(file));
    }
  }

  /** The SHA-256 of every part, in their order; complete once the stream is closed. */
  Map<String, String> digests() {
    return digests;
  }

  @Override
  public void close() throws IOException {
    endPart();
  }
}
