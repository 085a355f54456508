package dev.psm.core.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests for provenance and integrity. */
public final class Hashes {
  private static final int BLOCK_BYTES = 1 << 20;

  private Hashes() {}

  /** SHA-256 of the parts one after another, in lower-case hex. */
  public static String sha256(byte[]... parts) {
    MessageDigest digest = newSha256();
    for (byte[] part : parts) {
      digest.update(part);
    }
    return hex(digest);
  }

  /** SHA-256 of a file of any size, in lower-case hex. */
  public static String sha256(Path file) {
    MessageDigest digest = newSha256();
    ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (channel.read(block) >= 0) {
        digest.update(block.flip());
        block.clear();
      }
    } catch (IOException e) {
      throw AtomicFiles.explain("read", file, e);
    }
    return hex(digest);
  }

  static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new LinkageError("every Java platform must have SHA-256", e);
    }
  }

  static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }
}
