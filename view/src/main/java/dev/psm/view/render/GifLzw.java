package dev.psm.view.render;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** GIF's variant of LZW: codes that grow from the palette's width to 12 bits, in short blocks. */
final class GifLzw {
  private static final int MAX_CODES = 1 << 12;
  private static final int LONGEST_BLOCK = 255;
  private static final int SLOTS = 1 << 14;

  private final OutputStream out;
  private final byte[] block = new byte[LONGEST_BLOCK];
  private int blockLength;
  private int bits;
  private int bitCount;
  // From a code and the index after it to the code for both; -1 marks an empty slot.
  private final int[] keys = new int[SLOTS];
  private final short[] codes = new short[SLOTS];

  private GifLzw(OutputStream out) {
    this.out = out;
  }

  /** Writes indices, each below 2 to the power of {@code depth}; the depth is from 2 to 8. */
  static void write(byte[] indices, int count, int depth, OutputStream out) throws IOException {
    out.write(depth);
    new GifLzw(out).encode(indices, count, depth);
    out.write(0);
  }

  private void encode(byte[] indices, int count, int depth) throws IOException {
    int clear = 1 << depth;
    int end = clear + 1;
    int width = depth + 1;
    int next = end + 1;
    Arrays.fill(keys, -1);
    emit(clear, width);
    int prefix = indices[0] & 0xff;
    for (int i = 1; i < count; i++) {
      int index = indices[i] & 0xff;
      int key = prefix << 8 | index;
      int slot = slotOf(key);
      if (keys[slot] == key) {
        prefix = codes[slot];
        continue;
      }
      emit(prefix, width);
      prefix = index;
      if (next < MAX_CODES) {
        // The decoder learns a code one step later than we do: widen when it is used, not made.
        if (next == 1 << width) {
          width++;
        }
        keys[slot] = key;
        codes[slot] = (short) next++;
      } else {
        emit(clear, width);
        Arrays.fill(keys, -1);
        width = depth + 1;
        next = end + 1;
      }
    }
    emit(prefix, width);
    if (next == 1 << width && width < 12) {
      width++;
    }
    emit(end, width);
    if (bitCount > 0) {
      put(bits);
    }
    flush();
  }

  private int slotOf(int key) {
    int slot = (key * 0x9E3779B1) >>> 18;
    while (keys[slot] != -1 && keys[slot] != key) {
      slot = (slot + 1) & (SLOTS - 1);
    }
    return slot;
  }

  private void emit(int code, int width) throws IOException {
    bits |= code << bitCount;
    bitCount += width;
    while (bitCount >= 8) {
      put(bits);
      bits >>>= 8;
      bitCount -= 8;
    }
  }

  private void put(int value) throws IOException {
    block[blockLength++] = (byte) value;
    if (blockLength == LONGEST_BLOCK) {
      flush();
    }
  }

  private void flush() throws IOException {
    if (blockLength > 0) {
      out.write(blockLength);
      out.write(block, 0, blockLength);
      blockLength = 0;
    }
  }
}
