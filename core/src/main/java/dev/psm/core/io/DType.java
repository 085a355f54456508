package dev.psm.core.io;

/** The element types of the safetensors format that occupy whole bytes. */
public enum DType {
  BOOL(1),
  U8(1),
  I8(1),
  F8_E5M2(1),
  F8_E4M3(1),
  I16(2),
  U16(2),
  F16(2),
  BF16(2),
  I32(4),
  U32(4),
  F32(4),
  I64(8),
  U64(8),
  F64(8);

  private final int bytes;

  DType(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes per element. */
  public int bytes() {
    return bytes;
  }
}
