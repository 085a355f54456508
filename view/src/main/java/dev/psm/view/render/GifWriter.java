package dev.psm.view.render;

import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An animated GIF, frame by frame: one palette for as long as it serves, only the pixels that
 * change, for ever from the start again.
 *
 * <p>The first frames are held back until they show which colours the film needs; a film of up to
 * 255 colours is kept exactly. For a file use {@link #save}: closing a stream says nothing about
 * whether the film is complete, so only a callback that returns can promise a whole file.
 */
public final class GifWriter implements AutoCloseable {
  private static final int LARGEST_SIDE = 0xffff;
  // Browsers take 0 and 1 for a mistake and play such films at a tenth of the speed.
  private static final int SHORTEST_DELAY = 2;
  private static final int HELD_PIXELS = 6_000_000;
  private static final double NEW_COLOURS_SHARE = 0.002;
  private static final double NEW_COLOURS_EMPHASIS = 8;

  private final OutputStream out;
  private final int width;
  private final int height;
  private final int delay;
  private final int heldPixels;
  private final GifColours colours = new GifColours();
  private final List<int[]> held = new ArrayList<>();
  private final int[] screen;
  private final byte[] indices;
  private GifPalette globalPalette;
  private GifPalette palette;
  private double poorShare;
  private boolean started;
  private boolean closed;

  /** Adds the frames of a film, from the first to the last. */
  @FunctionalInterface
  public interface FrameSource {
    void addTo(GifWriter gif) throws IOException;
  }

  /** The delay between frames is in hundredths of a second. The stream is not closed. */
  public GifWriter(OutputStream out, int width, int height, int delay) {
    this(out, width, height, delay, HELD_PIXELS);
  }

  GifWriter(OutputStream out, int width, int height, int delay, int heldPixels) {
    if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE) {
      throw UserError.invalid(
          "a GIF has from 1 to %d pixels a side, not %d x %d", LARGEST_SIDE, width, height);
    }
    if (delay < SHORTEST_DELAY || delay > LARGEST_SIDE) {
      throw UserError.invalid(
          "a GIF shows a frame for %d to %d hundredths of a second, not %d",
          SHORTEST_DELAY, LARGEST_SIDE, delay);
    }
    this.out = out;
    this.width = width;
    this.height = height;
    this.delay = delay;
    this.heldPixels = heldPixels;
    screen = new int[Math.multiplyExact(width, height)];
    indices = new byte[screen.length];
  }

  /** Writes a file that appears when the film is complete; a film that fails leaves none. */
  public static void save(Path file, int width, int height, int delay, FrameSource film) {
    AtomicFiles.write(
        file,
        out -> {
          GifWriter gif = new GifWriter(out, width, height, delay);
          film.addTo(gif);
          gif.close();
        });
  }

  /** Adds a frame; the image may be drawn over afterwards. */
  public void add(Image image) throws IOException {
    if (closed) {
      throw new IllegalStateException("the film is closed");
    }
    if (image.width() != width || image.height() != height) {
      throw new IllegalArgumentException(
          "a frame of %d x %d does not fit a film of %d x %d"
              .formatted(image.width(), image.height(), width, height));
    }
    int[] pixels = image.pixels();
    if (palette != null) {
      adapt(pixels);
      frame(pixels);
      return;
    }
    colours.add(pixels, 1);
    held.add(pixels.clone());
    if ((long) (held.size() + 1) * pixels.length > heldPixels) {
      release();
    }
  }

  /** Completes the film. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    if (palette == null) {
      if (held.isEmpty()) {
        throw new IllegalStateException("a film needs at least one frame");
      }
      release();
    }
    out.write(';');
    out.flush();
  }

  private void release() throws IOException {
    palette = colours.palette();
    globalPalette = palette;
    for (int[] pixels : held) {
      poorShare = Math.max(poorShare, palette.poorShare(pixels));
    }
    header();
    for (int[] pixels : held) {
      frame(pixels);
    }
    held.clear();
  }

  /** Takes up colours that the film did not have before. */
  private void adapt(int[] pixels) {
    boolean wasFew = colours.few();
    int known = colours.distinctCount();
    boolean poor = !palette.isExact() && palette.poorShare(pixels) > poorShare + NEW_COLOURS_SHARE;
    colours.add(pixels, poor ? NEW_COLOURS_EMPHASIS : 1);
    boolean unknown = wasFew && (colours.distinctCount() > known || !colours.few());
    if (poor || unknown) {
      palette = colours.palette();
      poorShare = palette.poorShare(pixels);
    }
  }

  private void header() throws IOException {
    out.write("GIF89a".getBytes(StandardCharsets.US_ASCII));
    number(width);
    number(height);
    out.write(0xf0 | depth(palette) - 1);
    number(0);
    table(palette);
    out.write(new byte[] {0x21, (byte) 0xff, 11});
    out.write("NETSCAPE2.0".getBytes(StandardCharsets.US_ASCII));
    out.write(new byte[] {3, 1, 0, 0, 0});
  }

  private void frame(int[] pixels) throws IOException {
    int left = width;
    int right = -1;
    int top = height;
    int bottom = -1;
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int at = y * width + x;
        if (!started || !palette.mayKeep(screen[at], pixels[at])) {
          left = Math.min(left, x);
          right = Math.max(right, x);
          top = Math.min(top, y);
          bottom = y;
        }
      }
    }
    if (right < 0) {
      // Nothing moved; the frame still takes its time.
      left = 0;
      right = 0;
      top = 0;
      bottom = 0;
    }
    int transparent = palette.colours.length;
    int count = 0;
    for (int y = top; y <= bottom; y++) {
      for (int x = left; x <= right; x++) {
        int at = y * width + x;
        int index = transparent;
        if (!started || !palette.mayKeep(screen[at], pixels[at])) {
          index = palette.index(pixels[at], x, y);
          screen[at] = palette.colours[index];
        }
        indices[count++] = (byte) index;
      }
    }
    started = true;
    write(left, top, right - left + 1, bottom - top + 1, count);
  }

  private void write(int left, int top, int frameWidth, int frameHeight, int count)
      throws IOException {
    // Leave the picture in place for the next frame, and let one index show it through.
    out.write(new byte[] {0x21, (byte) 0xf9, 4, 1 << 2 | 1});
    number(delay);
    out.write(palette.colours.length);
    out.write(0);
    out.write(',');
    number(left);
    number(top);
    number(frameWidth);
    number(frameHeight);
    int depth = depth(palette);
    if (palette == globalPalette) {
      out.write(0);
    } else {
      out.write(0x80 | depth - 1);
      table(palette);
    }
    GifLzw.write(indices, count, Math.max(2, depth), out);
  }

  /** Bits that hold every entry and the transparent index after them. */
  private static int depth(GifPalette palette) {
    return 32 - Integer.numberOfLeadingZeros(palette.colours.length);
  }

  private void table(GifPalette palette) throws IOException {
    byte[] bytes = new byte[3 << depth(palette)];
    for (int i = 0; i < palette.colours.length; i++) {
      bytes[3 * i] = (byte) (palette.colours[i] >> 16);
      bytes[3 * i + 1] = (byte) (palette.colours[i] >> 8);
      bytes[3 * i + 2] = (byte) palette.colours[i];
    }
    out.write(bytes);
  }

  private void number(int value) throws IOException {
    out.write(value & 0xff);
    out.write(value >> 8);
  }
}
