package dev.psm.app;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Standard output that remembers when it could not be written, which a {@code PrintStream} hides: a
 * result that went nowhere must not count as success.
 */
final class StandardOutput extends OutputStream {
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
  private String lost;

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      out.write(bytes, from, length);
    } catch (IOException e) {
      String reason = String.valueOf(e.getMessage());
      // A reader that has seen enough, such as head, is no failure.
      if (lost == null && !reason.contains("Broken pipe")) {
        lost = reason;
      }
      throw e;
    }
  }

  /** Why output was lost; null if none was. */
  String lost() {
    return lost;
  }
}
