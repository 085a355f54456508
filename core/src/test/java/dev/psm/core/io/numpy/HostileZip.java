package dev.psm.core.io.numpy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A sound archive whose bytes can be told to lie, field by field. Field numbers are offsets in the
 * records of PKWARE's APPNOTE.TXT.
 */
final class HostileZip {
  private static final int ENTRY = 0x02014b50;

  private ByteBuffer bytes;

  HostileZip(byte[] sound) {
    this.bytes = ByteBuffer.wrap(sound.clone()).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** One stored array x of three floats. */
  static HostileZip stored() {
    return new HostileZip(sample(NpzWriter.stored()).toBytes());
  }

  /** The same deflated. */
  static HostileZip deflated() {
    return new HostileZip(sample(NpzWriter.deflated()).toBytes());
  }

  /** Two stored arrays, x and y, of the same three floats. */
  static HostileZip pair() {
    return new HostileZip(sample(NpzWriter.stored()).add("y", new float[] {1, 2, 3}, 3).toBytes());
  }

  private static NpzWriter sample(NpzWriter writer) {
    return writer.add("x", new float[] {1, 2, 3}, 3);
  }

  byte[] bytes() {
    byte[] copy = new byte[bytes.capacity()];
    bytes.get(0, copy);
    return copy;
  }

  int end() {
    return bytes.capacity() - ZipEnd.END_BYTES;
  }

  int directory() {
    return bytes.getInt(end() + 16);
  }

  int entry(int index) {
    return find(ENTRY).get(index);
  }

  int local(int index) {
    return bytes.getInt(entry(index) + 42);
  }

  HostileZip set2(int at, int value) {
    bytes.putShort(at, (short) value);
    return this;
  }

  HostileZip set4(int at, long value) {
    bytes.putInt(at, (int) value);
    return this;
  }

  HostileZip set8(int at, long value) {
    bytes.putLong(at, value);
    return this;
  }

  /** Sets a two-byte field where it stands in the directory and in the local header. */
  HostileZip both2(int directoryField, int value) {
    return set2(entry(0) + directoryField, value).set2(local(0) + directoryField - 2, value);
  }

  /** Sets a four-byte field where it stands in the directory and in the local header. */
  HostileZip both4(int directoryField, long value) {
    return set4(entry(0) + directoryField, value).set4(local(0) + directoryField - 2, value);
  }

  /** Overwrites an entry's name, here and there. */
  HostileZip rename(int index, byte[] name) {
    bytes.put(entry(index) + 46, name).put(local(index) + 30, name);
    return this;
  }

  HostileZip set(int at, byte... values) {
    bytes.put(at, values);
    return this;
  }

  HostileZip truncate(int length) {
    byte[] shorter = new byte[length];
    bytes.get(0, shorter);
    return replace(shorter);
  }

  /** Puts bytes in between, without telling anyone. */
  HostileZip insert(int at, byte... values) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] old = bytes();
    out.write(old, 0, at);
    out.write(values, 0, values.length);
    out.write(old, at, old.length - at);
    return replace(out.toByteArray());
  }

  /** Puts bytes in between that the end record accounts for as part of the directory. */
  HostileZip insertInDirectory(int at, byte... values) {
    return insert(at, values).set4(end() + 12, directoryBytes() + values.length);
  }

  /** Puts bytes before the directory that the end record accounts for. */
  HostileZip insertInData(int at, byte... values) {
    int start = directory();
    return insert(at, values).set4(end() + 16, start + values.length);
  }

  private int directoryBytes() {
    return bytes.getInt(end() + 12);
  }

  private HostileZip replace(byte[] other) {
    bytes = ByteBuffer.wrap(other).order(ByteOrder.LITTLE_ENDIAN);
    return this;
  }

  private List<Integer> find(int signature) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i + 4 <= bytes.capacity(); i++) {
      if (bytes.getInt(i) == signature) {
        found.add(i);
      }
    }
    return found;
  }
}
