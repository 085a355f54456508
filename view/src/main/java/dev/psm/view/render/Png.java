package dev.psm.view.render;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;

/** The few chunks that a PNG of opaque pixels needs, written without the desktop classes. */
final class Png {
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  private static final byte TRUE_COLOUR = 2;
  private static final byte FILTER_LEFT = 1;

  private Png() {}

  static void write(Image image, OutputStream out) throws IOException {
    out.write(SIGNATURE);
    ByteBuffer header = ByteBuffer.allocate(13).putInt(image.width()).putInt(image.height());
    chunk(out, "IHDR", header.put((byte) 8).put(TRUE_COLOUR).array());
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream rows = new DeflaterOutputStream(packed)) {
      byte[] row = new byte[1 + 3 * image.width()];
      for (int y = 0; y < image.height(); y++) {
        fill(row, image, y);
        rows.write(row);
      }
    }
    chunk(out, "IDAT", packed.toByteArray());
    chunk(out, "IEND", new byte[0]);
  }

  private static void fill(byte[] row, Image image, int y) {
    row[0] = FILTER_LEFT;
    int left = 0;
    for (int x = 0; x < image.width(); x++) {
      int rgb = image.get(x, y);
      for (int c = 0; c < 3; c++) {
        int shift = 16 - 8 * c;
        row[1 + 3 * x + c] = (byte) ((rgb >> shift) - (left >> shift));
      }
      left = rgb;
    }
  }

  private static void chunk(OutputStream out, String type, byte[] data) throws IOException {
    byte[] name = type.getBytes(StandardCharsets.US_ASCII);
    CRC32 crc = new CRC32();
    crc.update(name);
    crc.update(data);
    out.write(ByteBuffer.allocate(4).putInt(data.length).array());
    out.write(name);
    out.write(data);
    out.write(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }
}
