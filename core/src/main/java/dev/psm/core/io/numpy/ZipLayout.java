package dev.psm.core.io.numpy;

import static dev.psm.core.io.numpy.ZipEnd.u2;
import static dev.psm.core.io.numpy.ZipEnd.u4;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds the local headers, which stand before each entry's data, against the central directory:
 * both must tell the same, and together the entries must cover the file from its start to the
 * directory without sharing a byte or leaving one out.
 *
 * <p>The layouts are those of PKWARE's APPNOTE.TXT, sections 4.3.7 and 4.3.9.
 */
final class ZipLayout {
  private static final int LOCAL_BYTES = 30;
  private static final int DESCRIPTOR = 0x08074b50;

  private final ByteSource source;
  private final Place place;
  private final Map<String, ZipMember> located = new HashMap<>();

  private ZipLayout(ByteSource source, Place place) {
    this.source = source;
    this.place = place;
  }

  /** The members in the order given, their data located. */
  static List<ZipMember> locate(
      List<ZipMember> members, long dataEnd, ByteSource source, Place place) {
    ZipLayout layout = new ZipLayout(source, place);
    List<ZipMember> sorted = new ArrayList<>(members);
    sorted.sort(Comparator.comparingLong(ZipMember::offset));
    if (dataEnd > 0 && (sorted.isEmpty() || sorted.get(0).offset() > 0)) {
      throw place.damaged(
          "bytes 0 to %d belong to no array", sorted.isEmpty() ? dataEnd : sorted.get(0).offset());
    }
    for (int i = 0; i < sorted.size(); i++) {
      boolean last = i + 1 == sorted.size();
      layout.locate(sorted.get(i), last ? null : sorted.get(i + 1), dataEnd);
    }
    return members.stream().map(member -> layout.located.get(member.name())).toList();
  }

  private void locate(ZipMember member, ZipMember next, long dataEnd) {
    Place array = place.in(member.name());
    if (next != null && next.offset() == member.offset()) {
      throw array.damaged(
          "it and %s are the same bytes, at byte %d", Place.quote(next.name()), member.offset());
    }
    long limit = next == null ? dataEnd : next.offset();
    long nameEnd = member.offset() + LOCAL_BYTES + member.rawName().length;
    if (nameEnd > limit) {
      throw array.damaged("its local header at byte %d has no room", member.offset());
    }
    ByteBuffer local = source.range(member.offset(), (int) (nameEnd - member.offset()), array);
    if (local.getInt(0) != ZipEnd.LOCAL) {
      throw array.damaged("there is no local header at byte %d", member.offset());
    }
    compare(member, local, array);
    int extraBytes = u2(local, 28);
    long data = nameEnd + extraBytes;
    long end = data + member.compressed();
    if (end > limit) {
      throw array.damaged(
          "its data ends at byte %d and overlaps what starts at byte %d", end, limit);
    }
    ByteBuffer extra = source.range(nameEnd, extraBytes, array);
    compareSizes(member, local, extra, array);
    if (member.hasDescriptor()) {
      checkDescriptor(member, end, limit, array);
    } else if (end < limit) {
      throw array.damaged("bytes %d to %d, after its data, belong to no array", end, limit);
    }
    located.put(member.name(), member.located(data));
  }

  private static void compare(ZipMember member, ByteBuffer local, Place array) {
    byte[] name = new byte[member.rawName().length];
    local.get(LOCAL_BYTES, name);
    if (u2(local, 26) != member.rawName().length || !Arrays.equals(name, member.rawName())) {
      throw array.damaged("its local header gives it another name");
    }
    if (u2(local, 6) != member.flags() || u2(local, 8) != member.method()) {
      throw array.damaged(
          "its local header says flags %04x and method %d; the directory says %04x and %d",
          u2(local, 6), u2(local, 8), member.flags(), member.method());
    }
  }

  private static void compareSizes(
      ZipMember member, ByteBuffer local, ByteBuffer extra, Place array) {
    long[] sizes = ZipExtra.widen(extra, array, u4(local, 22), u4(local, 18));
    long[] found = {u4(local, 14), sizes[1], sizes[0]};
    long[] expected = {member.crc(), member.compressed(), member.size()};
    for (int i = 0; i < found.length; i++) {
      boolean deferred = member.hasDescriptor() && found[i] == 0;
      if (found[i] != expected[i] && !deferred) {
        throw array.damaged(
            "its local header says checksum %08x and %d bytes that inflate to %d; the directory"
                + " says %08x, %d and %d",
            found[0], found[1], found[2], expected[0], expected[1], expected[2]);
      }
    }
  }

  /** Four forms are in use: with or without a signature, of 32 or 64 bits. */
  private void checkDescriptor(ZipMember member, long at, long limit, Place array) {
    long length = limit - at;
    if (length != 12 && length != 16 && length != 20 && length != 24) {
      throw array.damaged(
          "%d bytes follow its data; expected a descriptor of 12, 16, 20 or 24", length);
    }
    ByteBuffer bytes = source.range(at, (int) length, array);
    boolean signed = length == 16 || length == 24;
    boolean sound = !signed || bytes.getInt() == DESCRIPTOR;
    sound &= Integer.toUnsignedLong(bytes.getInt()) == member.crc();
    for (long size : new long[] {member.compressed(), member.size()}) {
      long found = length < 20 ? Integer.toUnsignedLong(bytes.getInt()) : bytes.getLong();
      sound &= found == size;
    }
    if (!sound) {
      throw array.damaged("the descriptor after its data and the directory disagree");
    }
  }
}
