package dev.psm.core.io.numpy;

import dev.psm.core.UserError;
import java.util.Locale;

/** The element types that are read, all little-endian; the names are NumPy's. */
public enum NpyType {
  F2(2),
  F4(4),
  F8(8),
  I1(1),
  I2(2),
  I4(4),
  I8(8),
  U1(1),
  U2(2),
  U4(4),
  B1(1);

  private final int bytes;

  NpyType(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes per element. */
  public int bytes() {
    return bytes;
  }

  public boolean isWhole() {
    return !isFloating() && this != B1;
  }

  public boolean isFloating() {
    return this == F2 || this == F4 || this == F8;
  }

  /** As NumPy writes it in a header. */
  String descr() {
    return (bytes == 1 ? "|" : "<") + name().toLowerCase(Locale.ROOT);
  }

  /** The type behind a header's {@code descr}, or an error that says how to convert the array. */
  static NpyType parse(String descr, Place place) {
    boolean ordered = !descr.isEmpty() && "<>|=".indexOf(descr.charAt(0)) >= 0;
    char order = ordered ? descr.charAt(0) : ' ';
    String code = ordered ? descr.substring(1) : descr;
    refuseKind(code, descr, place);
    NpyType found = null;
    for (NpyType type : values()) {
      if (type.name().toLowerCase(Locale.ROOT).equals(code)) {
        found = type;
      }
    }
    if (found == null) {
      throw place.unsupported(
          "unknown dtype %s; expected one of %s",
          Place.quote(descr), "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 b1");
    }
    if (order == '>') {
      throw place.unsupported(
          "it holds big-endian numbers, dtype %s; expected little-endian: save"
              + " x.astype(x.dtype.newbyteorder('<'))",
          Place.quote(descr));
    }
    if (order != '<' && !(order == '|' && found.bytes == 1)) {
      throw place.unsupported(
          "dtype %s does not say its byte order; expected \"%s\": save the array with np.save",
          Place.quote(descr), found.descr());
    }
    return found;
  }

  private static void refuseKind(String code, String descr, Place place) {
    char kind = code.isEmpty() ? ' ' : code.charAt(0);
    UserError refusal =
        switch (kind) {
          case 'O' ->
              place.unsupported(
                  "it holds pickled Python objects, dtype %s, which can run code when they are"
                      + " loaded and are never read; save numbers: np.asarray(x, dtype=np.float32)",
                  Place.quote(descr));
          case 'S', 'a', 'U', 'T' ->
              place.unsupported(
                  "it holds text, dtype %s, not numbers; leave it out or encode it as numbers",
                  Place.quote(descr));
          case 'V' ->
              place.unsupported(
                  "it holds raw records, dtype %s; save each field as an array of its own",
                  Place.quote(descr));
          case 'M', 'm' ->
              place.unsupported(
                  "it holds dates or durations, dtype %s; save x.astype(np.int64)",
                  Place.quote(descr));
          case 'c' ->
              place.unsupported(
                  "it holds complex numbers, dtype %s; save x.real and x.imag", Place.quote(descr));
          default -> null;
        };
    if (refusal != null) {
      throw refusal;
    }
    if (code.equals("u8")) {
      throw place.unsupported(
          "it holds unsigned 64-bit numbers, dtype %s, which no Java type holds; save"
              + " x.astype(np.int64)",
          Place.quote(descr));
    }
    if (code.equals("f16") || code.equals("f12")) {
      throw place.unsupported(
          "it holds extended-precision numbers, dtype %s, which differ between machines; save"
              + " x.astype(np.float64)",
          Place.quote(descr));
    }
  }
}
