package dev.psm.view.render;

/**
 * The 5 by 7 dots of character displays, with a row below for descenders. Built in because a
 * headless Java on a bare system may find no font at all.
 */
final class Glyphs {
  static final int WIDTH = 5;
  static final int HEIGHT = 8;

  private static final char FIRST = ' ';
  // Five bytes for each character from the space to the tilde: columns, lowest bit at the top.
  private static final String COLUMNS =
      "0000000000 00005F0000 0007000700 147F147F14 242A7F2A12 2313086462 3649562050 0008070300"
          + " 001C224100 0041221C00 2A1C7F1C2A 08083E0808 0080703000 0808080808 0000606000"
          + " 2010080402 3E5149453E 00427F4000 7249494946 2141494D33 1814127F10 2745454539"
          + " 3C4A494931 4121110907 3649494936 464949291E 0000140000 0040340000 0008142241"
          + " 1414141414 0041221408 0201590906 3E415D594E 7C1211127C 7F49494936 3E41414122"
          + " 7F4141413E 7F49494941 7F09090901 3E41415173 7F0808087F 00417F4100 2040413F01"
          + " 7F08142241 7F40404040 7F021C027F 7F0408107F 3E4141413E 7F09090906 3E4151215E"
          + " 7F09192946 2649494932 03017F0103 3F4040403F 1F2040201F 3F4038403F 6314081463"
          + " 0304780403 6159494D43 007F414141 0204081020 004141417F 0402010204 4040404040"
          + " 0003070800 2054547840 7F28444438 3844444428 384444287F 3854545418 00087E0902"
          + " 18A4A49C78 7F08040478 00447D4000 2040403D00 7F10284400 00417F4000 7C04780478"
          + " 7C08040478 3844444438 FC18242418 18242418FC 7C08040408 4854545424 04043F4424"
          + " 3C4040207C 1C2040201C 3C4030403C 4428102844 4C9090907C 4464544C44 0008364100"
          + " 0000770000 0041360800 0201020402";

  private static final String[] GLYPHS = COLUMNS.split(" ");

  private Glyphs() {}

  /** Whether a dot is set; outside the glyph none is. Unknown characters are question marks. */
  static boolean dot(char character, int column, int row) {
    if (column < 0 || column >= WIDTH || row < 0 || row >= HEIGHT) {
      return false;
    }
    int index = character - FIRST;
    String glyph = GLYPHS[index >= 0 && index < GLYPHS.length ? index : '?' - FIRST];
    return (Integer.parseInt(glyph, 2 * column, 2 * column + 2, 16) >> row & 1) != 0;
  }

  /** A dot of the glyph at twice its size with diagonals filled in (the Scale2x rule). */
  static boolean smoothDot(char character, int column, int row) {
    int x = column >> 1;
    int y = row >> 1;
    boolean own = dot(character, x, y);
    boolean beside = dot(character, x + ((column & 1) == 0 ? -1 : 1), y);
    boolean opposite = dot(character, x - ((column & 1) == 0 ? -1 : 1), y);
    boolean above = dot(character, x, y + ((row & 1) == 0 ? -1 : 1));
    boolean below = dot(character, x, y - ((row & 1) == 0 ? -1 : 1));
    boolean corner = beside == above && beside != below && above != opposite;
    return corner ? beside : own;
  }
}
