package dev.psm.core.io.numpy;

import static dev.psm.core.io.numpy.ZipEnd.u2;
import static dev.psm.core.io.numpy.ZipEnd.u4;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The central directory of an archive, read and checked by us: {@code java.util.zip.ZipFile} takes
 * the later of two entries of one name, does not verify checksums, and lets entries share bytes,
 * which is how forty kilobytes can claim to be gigabytes.
 *
 * <p>The layout is that of PKWARE's APPNOTE.TXT, section 4.3.12.
 */
final class ZipDirectory {
  private static final int ENTRY = 0x02014b50;
  private static final int ENTRY_BYTES = 46;
  private static final int MAX_BYTES = 1 << 24;

  /** Deflate's best is a match of 258 bytes for two bits, so more is a lie whatever the data. */
  private static final long MAX_RATIO = 1032;

  private static final int ENCRYPTED = 1 | 1 << 6 | 1 << 13;

  /** Two hints on how hard was tried, the descriptor, and names in UTF-8. */
  private static final int KNOWN_FLAGS = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 11;

  private ZipDirectory() {}

  /** The entries in the order of the directory, each with its data located. */
  static List<ZipMember> read(ByteSource source, Place place, NpzLimits limits) {
    ZipEnd end = ZipEnd.read(source, place);
    if (end.entries() > limits.entries()) {
      throw place.unsupported(
          "it announces %d arrays; at most %d are allowed here, raise the limit on entries if you"
              + " trust it",
          end.entries(), limits.entries());
    }
    long length = end.end() - end.start();
    if (length > MAX_BYTES) {
      throw place.damaged("its directory has %d bytes; expected at most %d", length, MAX_BYTES);
    }
    ByteBuffer directory = source.range(end.start(), (int) length, place);
    List<ZipMember> members = new ArrayList<>();
    Set<String> names = new HashSet<>();
    long total = 0;
    for (int i = 0; i < end.entries(); i++) {
      ZipMember member = entry(directory, i + 1, end, place);
      if (!names.add(member.name())) {
        throw place.damaged("it has two arrays called %s", Place.quote(member.name()));
      }
      total += member.size();
      if (total < 0 || total > limits.totalBytes()) {
        throw place.unsupported(
            "its arrays inflate to more than the %d bytes allowed here (a zip bomb would); raise"
                + " the limit on the total if you trust it",
            limits.totalBytes());
      }
      members.add(member);
    }
    if (directory.hasRemaining()) {
      throw place.damaged("%d bytes follow the last entry of its directory", directory.remaining());
    }
    return ZipLayout.locate(members, end.start(), source, place);
  }

  private static ZipMember entry(ByteBuffer directory, int number, ZipEnd end, Place place) {
    int at = directory.position();
    int left = directory.remaining();
    if (left < ENTRY_BYTES) {
      throw place.damaged(
          "its directory ends inside entry %d of the %d announced", number, end.entries());
    }
    if (directory.getInt(at) != ENTRY) {
      throw place.damaged("entry %d of its directory does not start as one does", number);
    }
    int nameBytes = u2(directory, at + 28);
    int extraBytes = u2(directory, at + 30);
    int total = ENTRY_BYTES + nameBytes + extraBytes + u2(directory, at + 32);
    if (left < total) {
      throw place.damaged(
          "its directory ends inside entry %d of the %d announced", number, end.entries());
    }
    byte[] rawName = new byte[nameBytes];
    directory.get(at + ENTRY_BYTES, rawName);
    directory.position(at + total);
    int flags = u2(directory, at + 8);
    String name = ZipNames.decode(rawName, flags, place);
    Place array = place.in(name);
    if (u2(directory, at + 34) != 0) {
      throw array.unsupported("it lies in another part; join the parts into one archive");
    }
    long[] sizes =
        ZipExtra.widen(
            ZipEnd.slice(directory, at + ENTRY_BYTES + nameBytes, extraBytes),
            array,
            u4(directory, at + 24),
            u4(directory, at + 20),
            u4(directory, at + 42));
    ZipMember member =
        new ZipMember(
            name,
            rawName,
            flags,
            u2(directory, at + 10),
            u4(directory, at + 16),
            sizes[1],
            sizes[0],
            sizes[2],
            -1);
    check(member, end.start(), array);
    return member;
  }

  private static void check(ZipMember member, long dataEnd, Place array) {
    if ((member.flags() & ENCRYPTED) != 0) {
      throw array.unsupported("it is encrypted; save it without a password");
    }
    if ((member.flags() & ~KNOWN_FLAGS) != 0) {
      throw array.unsupported(
          "it uses zip features that NumPy does not (flags %04x); save it with np.savez",
          member.flags());
    }
    if (member.method() != ZipMember.STORED && !member.isDeflated()) {
      throw array.unsupported(
          "it is compressed by method %d%s; expected 0 (stored) or 8 (deflated): save it with"
              + " np.savez_compressed",
          member.method(), methodName(member.method()));
    }
    long compressed = member.compressed();
    long size = member.size();
    if (member.offset() > dataEnd || compressed > dataEnd - member.offset()) {
      throw array.damaged(
          "it is truncated: its %d bytes at byte %d reach beyond the %d bytes of data",
          compressed, member.offset(), dataEnd);
    }
    if (!member.isDeflated() && size != compressed) {
      throw array.damaged(
          "it is stored as it is and yet announces %d bytes stored and %d read", compressed, size);
    }
    if (member.isDeflated() && size / MAX_RATIO > compressed) {
      throw array.damaged(
          "it claims that %d bytes inflate to %d, more than the factor %d that deflate can reach",
          compressed, size, MAX_RATIO);
    }
  }

  private static String methodName(int method) {
    return switch (method) {
      case 9 -> " (deflate64)";
      case 12 -> " (bzip2)";
      case 14 -> " (LZMA)";
      case 93 -> " (Zstandard)";
      case 95 -> " (xz)";
      case 99 -> " (encrypted with AES)";
      default -> "";
    };
  }
}
