package dev.psm.core.io;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests for provenance and integrity. */
public final class Hashes {
  private Hashes() {}

  /** SHA-256 of the parts one after another, in lower-case hex. */
  public static String sha256(byte[]... parts) {
    MessageDigest digest = newSha256();
    for (byte[] part : parts) {
      digest.update(part);
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
