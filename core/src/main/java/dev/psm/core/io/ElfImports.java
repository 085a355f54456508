package dev.psm.core.io;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The shared libraries that a 64-bit ELF file (a Linux program or library) asks the loader for. ELF
 * specification, version 1.2, and its supplement for x86-64.
 */
public final class ElfImports {
  private static final int HEADER_BYTES = 64;
  private static final int MAGIC = 0x464c457f;
  private static final byte CLASS_64 = 2;
  private static final byte LITTLE_ENDIAN = 1;
  private static final int PT_LOAD = 1;
  private static final int PT_DYNAMIC = 2;
  private static final long DT_NULL = 0;
  private static final long DT_NEEDED = 1;
  private static final long DT_STRTAB = 5;

  private ElfImports() {}

  /** The names in the order of the file, such as libz.so.1. */
  public static List<String> of(Path file) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
      if (!isElf(bytes)) {
        throw UserError.invalid("%s is not a 64-bit ELF file, little-endian", file);
      }
      return imports(bytes);
    } catch (IndexOutOfBoundsException | BufferUnderflowException | ArithmeticException e) {
      throw UserError.failed(e, "%s is a damaged ELF file: its tables point outside of it", file);
    } catch (IOException e) {
      throw AtomicFiles.explain("read", file, e);
    }
  }

  public static boolean isElf(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer start = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      return channel.read(start) == HEADER_BYTES && isElf(start);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isElf(ByteBuffer bytes) {
    return bytes.limit() >= HEADER_BYTES
        && bytes.getInt(0) == MAGIC
        && bytes.get(4) == CLASS_64
        && bytes.get(5) == LITTLE_ENDIAN;
  }

  private static List<String> imports(ByteBuffer bytes) {
    int headers = Math.toIntExact(bytes.getLong(32));
    int size = Short.toUnsignedInt(bytes.getShort(54));
    int count = Short.toUnsignedInt(bytes.getShort(56));
    List<Long> needed = new ArrayList<>();
    long stringsAddress = -1;
    for (int i = 0; i < count; i++) {
      int header = headers + i * size;
      if (bytes.getInt(header) == PT_DYNAMIC) {
        int at = Math.toIntExact(bytes.getLong(header + 8));
        for (; bytes.getLong(at) != DT_NULL; at += 16) {
          if (bytes.getLong(at) == DT_NEEDED) {
            needed.add(bytes.getLong(at + 8));
          } else if (bytes.getLong(at) == DT_STRTAB) {
            stringsAddress = bytes.getLong(at + 8);
          }
        }
      }
    }
    List<String> names = new ArrayList<>();
    for (long name : needed) {
      long offset = offset(bytes, headers, size, count, stringsAddress);
      names.add(text(bytes, Math.toIntExact(offset + name)));
    }
    return names;
  }

  /** The place in the file of what the loader puts at an address. */
  private static long offset(ByteBuffer bytes, int headers, int size, int count, long address) {
    for (int i = 0; i < count; i++) {
      int header = headers + i * size;
      long start = bytes.getLong(header + 16);
      if (bytes.getInt(header) == PT_LOAD
          && address >= start
          && address < start + bytes.getLong(header + 32)) {
        return bytes.getLong(header + 8) + address - start;
      }
    }
    throw new IndexOutOfBoundsException(address);
  }

  private static String text(ByteBuffer bytes, int start) {
    int end = start;
    while (bytes.get(end) != 0) {
      end++;
    }
    byte[] text = new byte[end - start];
    bytes.get(start, text);
    return new String(text, StandardCharsets.UTF_8);
  }
}
