package dev.psm.view.render;

/** A picture of opaque pixels. */
public final class Image {
  private final int width;
  private final int height;
  private final int[] pixels;

  public Image(int width, int height) {
    this.width = width;
    this.height = height;
    pixels = new int[Math.multiplyExact(width, height)];
  }

  public int width() {
    return width;
  }

  public int height() {
    return height;
  }

  /** A pixel as 0xRRGGBB; (0, 0) is the top left corner. */
  public int get(int x, int y) {
    return pixels[y * width + x];
  }

  public void set(int x, int y, int rgb) {
    pixels[y * width + x] = rgb & 0xffffff;
  }

  /** The pixels themselves, row after row. */
  int[] pixels() {
    return pixels;
  }

  /** Writes lines of text into the bottom left corner, legible on any picture; returns this. */
  public Image caption(String text) {
    Caption.draw(this, text);
    return this;
  }
}
