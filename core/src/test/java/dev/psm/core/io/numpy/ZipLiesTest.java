package dev.psm.core.io.numpy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each way in which an archive can lie is one error with its own words. */
final class ZipLiesTest {
  private static final int FLAGS = 8;
  private static final int METHOD = 10;
  private static final int CRC = 16;
  private static final int COMPRESSED = 20;
  private static final int SIZE = 24;
  private static final int OFFSET = 42;

  @TempDir Path directory;

  @Test
  void theStart() {
    refused(new byte[0], "memory.npz: it is empty");
    refused(new byte[] {1}, "expected the bytes 50 4b 03 04, found 01");
    refused("<html>no".getBytes(StandardCharsets.UTF_8), "found 3c 68 74 6d");
    refused(NpyHeader.of(NpyType.F4).prefix(), "it is a single array (.npy), not an archive");
    refused(HostileZip.stored().insert(0, (byte) 0), "it does not start as a .npz does");
  }

  @Test
  void everyTruncation() {
    byte[] sound = HostileZip.pair().bytes();
    for (int length = 4; length < sound.length; length++) {
      refused(Arrays.copyOf(sound, length), "it is truncated: it has no zip end record");
    }
  }

  @Test
  void theEnd() {
    HostileZip zip = HostileZip.stored();
    refused(zip.insert(zip.bytes().length, (byte) 0), "1 bytes follow its end record");
    HostileZip comment = HostileZip.stored();
    comment.set2(comment.end() + 20, 2);
    refused(comment, "a comment of 2 bytes should follow its end record");
    refused(
        comment.insert(comment.bytes().length, (byte) 'h', (byte) 'i'),
        "a comment of 2 bytes, which can hide");
    refused(HostileZip.stored(), 4, 1, "it is one part of several");
    refused(HostileZip.stored(), 8, 2, "it is one part of several");
    refused(HostileZip.stored(), 12, 1, "its directory of 1 bytes at byte");
    refused(HostileZip.stored(), 16, 1, "should end where its end record starts");
  }

  private static void refused(HostileZip zip, int endField, int value, String words) {
    refused(zip.set2(zip.end() + endField, value), words);
  }

  @Test
  void theZip64End() throws IOException {
    HostileZip narrow = HostileZip.stored();
    refused(
        narrow.set4(narrow.end() + 16, -1), "refers to a zip64 end record that it does not have");
    byte[] sound = Files.readAllBytes(NumpyFixturesTest.fixture("zip64.npz"));
    int locator = sound.length - 42;
    int record = locator - 56;
    refused(new HostileZip(sound).set4(locator + 4, 1), "it is one part of several");
    refused(new HostileZip(sound).set8(locator + 8, 7), "its locator says 7");
    refused(new HostileZip(sound).set8(locator + 8, -1), "its locator says 18446744073709551615");
    refused(
        new HostileZip(sound).set4(record, 0), "there is no zip64 end record at byte " + record);
    refused(new HostileZip(sound).set8(record + 24, 9), "it is one part of several");
    refused(new HostileZip(sound).set8(record + 40, 9), "and its end record disagree");
    HostileZip countless = new HostileZip(sound).set8(record + 24, -1).set8(record + 32, -1);
    countless.set2(countless.end() + 8, -1).set2(countless.end() + 10, -1);
    refused(countless, "it announces 18446744073709551615 entries");
    HostileZip beyond = new HostileZip(sound).set8(record + 48, -1);
    refused(beyond.set4(beyond.end() + 16, -1), "at byte 18446744073709551615 should end");
  }

  @Test
  void theDirectory() {
    HostileZip more = HostileZip.stored();
    refused(
        more.set2(more.end() + 8, 2).set2(more.end() + 10, 2),
        "its directory ends inside entry 2 of the 2 announced");
    HostileZip fewer = HostileZip.pair();
    refused(
        fewer.set2(fewer.end() + 8, 1).set2(fewer.end() + 10, 1),
        "51 bytes follow the last entry of its directory");
    HostileZip strange = HostileZip.stored();
    refused(strange.set4(strange.entry(0), 0), "entry 1 of its directory does not start as one");
    HostileZip name = HostileZip.stored();
    refused(name.set2(name.entry(0) + 28, 99), "its directory ends inside entry 1 of the 1");
    HostileZip disk = HostileZip.stored();
    refused(disk.set2(disk.entry(0) + 34, 1), "array \"x\": it lies in another part");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/etc/x.npy | is an absolute path",
        "../../x.npy | climbs out of its folder",
        "a/../b.npy | climbs out of its folder",
        "..\\x.npy | contains a backslash",
        "C:x.npy | starts with a drive letter",
        "a//b.npy | has an empty folder",
        "./a.npy | has an empty folder",
        "folder/ | is a folder",
        "x.txt | does not end in .npy",
        "inner.npz | does not end in .npy",
        "x.NPY | does not end in .npy",
        "a/.npy | has nothing before .npy",
        "a\0b.npy | contains a NUL",
        "a\u001bb.npy | contains a control character",
      })
  void aTrickInAName(String name, String words) {
    byte[] raw = name.getBytes(StandardCharsets.UTF_8);
    refused(named(raw), words);
    assertThrows(
        IllegalArgumentException.class,
        () -> {
          if (!name.endsWith(".npy")) {
            throw new IllegalArgumentException();
          }
          NpzWriter.stored().add(name.substring(0, name.length() - 4), new float[1]);
        });
  }

  @Test
  void aNameThatIsNotText() {
    refused(named(new byte[] {(byte) 0xff, '.', 'n', 'p', 'y'}), "\"ÿ.npy\" is not US-ASCII");
    HostileZip utf8 = named(new byte[] {(byte) 0xc0, '.', 'n', 'p', 'y'});
    refused(utf8.both2(FLAGS, 1 << 11), "\"À.npy\" is not UTF-8");
    refused(named("x".repeat(1025).getBytes(StandardCharsets.UTF_8)), "a name of 1025 bytes");
  }

  @Test
  void twoArraysOfOneName() {
    byte[] name = "x.npy".getBytes(StandardCharsets.UTF_8);
    refused(HostileZip.pair().rename(1, name), "it has two arrays called \"x\"");
  }

  @Test
  void whatNumpyDoesNotWrite() {
    for (int flag : new int[] {1, 1 << 6, 1 << 13}) {
      refused(HostileZip.stored().both2(FLAGS, flag), "array \"x\": it is encrypted");
    }
    refused(
        HostileZip.stored().both2(FLAGS, 1 << 5), "zip features that NumPy does not (flags 0020)");
    refused(HostileZip.stored().both2(METHOD, 12), "by method 12 (bzip2); expected 0");
    refused(HostileZip.stored().both2(METHOD, 99), "by method 99 (encrypted with AES)");
    refused(HostileZip.stored().both2(METHOD, 77), "by method 77; expected 0");
  }

  @Test
  void lyingSizes() {
    refused(HostileZip.stored().both4(SIZE, 141), "announces 140 bytes stored and 141 read");
    refused(
        HostileZip.deflated().both4(COMPRESSED, 1 << 20),
        "array \"x\": it is truncated: its 1048576");
    HostileZip far = HostileZip.stored();
    refused(far.set4(far.entry(0) + OFFSET, 1 << 20), "bytes at byte 1048576 reach beyond");
    refused(
        HostileZip.deflated().both4(SIZE, 1 << 30),
        "inflate to 1073741824, more than the factor 1032");
    refusedData(HostileZip.deflated().both4(SIZE, 141), "12 bytes of data, and 13 bytes follow it");
    HostileZip both = HostileZip.stored().insertInData(175, (byte) 0);
    refusedData(
        both.both4(SIZE, 141).both4(COMPRESSED, 141), "12 bytes of data, and 13 bytes follow");
  }

  @Test
  void bombsBeyondTheTotal() {
    byte[] zeros = NpzWriter.deflated().add("x", new float[1 << 20], 1 << 20).toBytes();
    assertEquals(1 << 20, Memory.npz(zeros).floats("x").length);
    NpzLimits limits = new NpzLimits(1 << 30, 1 << 20, 9);
    refused(
        zeros, limits, "inflate to more than the 1048576 bytes allowed here (a zip bomb would)");
    refused(
        HostileZip.pair().bytes(),
        new NpzLimits(1, 1 << 20, 1),
        "it announces 2 arrays; at most 1");
  }

  @Test
  void sharedAndHiddenBytes() {
    HostileZip same = HostileZip.pair();
    refused(same.set4(same.entry(1) + OFFSET, 0), "it and \"y\" are the same bytes, at byte 0");
    HostileZip overlap = HostileZip.pair();
    refused(
        overlap.set4(overlap.entry(1) + OFFSET, 100),
        "ends at byte 175 and overlaps what starts at byte 100");
    HostileZip tight = HostileZip.pair();
    refused(tight.set4(tight.entry(1) + OFFSET, 20), "its local header at byte 0 has no room");
    HostileZip front = HostileZip.pair();
    refused(front.set4(front.entry(0) + OFFSET, 1), "bytes 0 to 1 belong to no array");
    HostileZip between = HostileZip.pair().insertInData(175, new byte[3]);
    refused(
        between.set4(between.entry(1) + OFFSET, 178),
        "bytes 175 to 178, after its data, belong to no");
    refused(HostileZip.stored().insertInData(175, new byte[3]), "bytes 175 to 178, after its data");
  }

  @Test
  void aLocalHeaderThatTellsAnotherStory() {
    refused(
        HostileZip.stored().set(0, new byte[] {'P', 'K', 5, 6}),
        "there is no local header at byte 0");
    refused(HostileZip.stored().set(30, (byte) 'q'), "its local header gives it another name");
    refused(HostileZip.stored().set2(26, 4), "its local header gives it another name");
    refused(
        HostileZip.stored().set2(8, 8), "flags 0000 and method 8; the directory says 0000 and 0");
    refused(HostileZip.stored().set2(6, 2), "flags 0002 and method 0");
    refused(
        HostileZip.stored().set4(14, 1), "its local header says checksum 00000001 and 140 bytes");
    refused(HostileZip.stored().set4(18, 9), "and 9 bytes that inflate to 140; the directory says");
    refused(HostileZip.stored().set4(22, 9), "and 140 bytes that inflate to 9; the directory says");
  }

  @Test
  void extraFields() throws IOException {
    HostileZip zip = HostileZip.stored();
    refused(zip.set4(zip.entry(0) + SIZE, -1), "refers to a zip64 size that it does not have");
    byte[] sound = Files.readAllBytes(NumpyFixturesTest.fixture("zip64.npz"));
    HostileZip wide = new HostileZip(sound);
    int extra = wide.entry(1) + 46 + "b.npy".length();
    refused(new HostileZip(sound).set2(extra + 2, 25), "its extra fields end inside a field");
    refused(new HostileZip(sound).set2(extra + 2, 20), "its zip64 field has 20 bytes");
    refused(new HostileZip(sound).set8(extra + 4, -1), "its zip64 size is 18446744073709551615");
    refused(new HostileZip(sound).set2(extra, 2), "refers to a zip64 size that it does not have");
    refused(new HostileZip(sound).set4(wide.entry(1) + SIZE, 140), "holds 3 numbers; expected 2");
    refused(
        new HostileZip(sound).set2(extra + 2, 8).set2(extra + 12, 1).set2(extra + 14, 8),
        "it has two zip64 fields");
  }

  @Test
  void descriptors() throws IOException {
    for (String name : new String[] {"descriptors.npz", "descriptors32.npz"}) {
      byte[] sound = Files.readAllBytes(NumpyFixturesTest.fixture(name));
      int after = new HostileZip(sound).local(1);
      refused(new HostileZip(sound).set(after - 1, (byte) 7), "the descriptor after its data and");
      HostileZip longer = new HostileZip(sound).insertInData(after, (byte) 0);
      refused(
          longer.set4(longer.entry(1) + OFFSET, after + 1),
          "bytes follow its data; expected a descriptor");
    }
  }

  @Test
  void compressedData() {
    int data = 35;
    int end = HostileZip.deflated().directory();
    refusedData(HostileZip.deflated().set(data, (byte) 7), "its compressed data is corrupt (");
    HostileZip after = HostileZip.deflated().insertInData(end, (byte) 0);
    refusedData(
        after.both4(COMPRESSED, end - data + 1), "1 bytes follow the end of its compressed data");
    refusedData(HostileZip.deflated().both4(CRC, 1), "; expected 00000001");
    refusedData(HostileZip.stored().both4(CRC, 1), "; expected 00000001");
    refusedData(HostileZip.stored().set(data + 130, (byte) 9), "array \"x\": its checksum is");
  }

  @Test
  void compressedDataOfAnotherLength() {
    byte[] npy = NpyHeader.of(NpyType.U1, 100).prefix();
    HostileZip shorter = new HostileZip(NpzWriter.deflated().add("x", npy).toBytes());
    refusedData(shorter.both4(SIZE, npy.length + 100), "inflates to only 128 bytes of the 228");
    byte[] longer = Arrays.copyOf(npy, npy.length + 150);
    HostileZip more = new HostileZip(NpzWriter.deflated().add("x", longer).toBytes());
    refusedData(
        more.both4(SIZE, npy.length + 100), "inflates to more than the 228 bytes announced");
    byte[] full = Arrays.copyOf(npy, npy.length + 100);
    HostileZip cut = new HostileZip(NpzWriter.deflated().add("x", full).toBytes());
    int end = cut.directory();
    byte[] without = cut.bytes();
    byte[] bytes = new byte[without.length - 1];
    System.arraycopy(without, 0, bytes, 0, end - 1);
    System.arraycopy(without, end, bytes, end - 1, without.length - end);
    HostileZip short1 = new HostileZip(bytes);
    short1.set4(short1.end() + 16, end - 1);
    refusedData(short1.both4(COMPRESSED, end - 1 - 35), "its compressed data stops before its end");
  }

  @Test
  void anArchiveInsideAnArchiveIsNotOpened() {
    byte[] inner = HostileZip.stored().bytes();
    byte[] outer = NpzWriter.stored().add("x", inner).toBytes();
    refusedData(new HostileZip(outer), "array \"x\": it does not start as a .npy does");
  }

  @Test
  void anArrayThatIsNotThere() {
    refused(
        assertThrows(UserError.class, () -> Memory.npz(HostileZip.pair().bytes()).floats("z")),
        "memory.npz: there is no array \"z\" among [\"x\", \"y\"]");
  }

  @Test
  void aPlaceThatIsNotAFile() {
    Path missing = directory.resolve("missing.npz");
    refused(assertThrows(UserError.class, () -> Npz.open(missing)), "there is no such file");
    refused(assertThrows(UserError.class, () -> Npz.open(directory)), "it is a directory");
    Path device = Path.of("/dev/null");
    if (Files.exists(device)) {
      refused(assertThrows(UserError.class, () -> Npz.open(device)), "not a regular file");
    }
  }

  @Test
  void aFileThatShrinksWhileItIsRead() throws IOException {
    Path file = directory.resolve("x.npz");
    NpzWriter.stored().add("x", new float[1000], 1000).write(file);
    try (Npz npz = Npz.open(file)) {
      Files.write(file, new byte[500]);
      refused(assertThrows(UserError.class, () -> npz.floats("x")), "x.npz");
      Files.write(file, new byte[0]);
      refused(
          assertThrows(UserError.class, () -> npz.floats("x")), "became shorter while it was read");
    }
  }

  @Test
  void fieldsThatSayNothingMayHoldAnything() {
    HostileZip zip = HostileZip.stored();
    zip.set2(zip.entry(0) + 4, 777).set4(zip.entry(0) + 12, 12345).set4(zip.entry(0) + 38, 99);
    assertArrayEquals(new float[] {1, 2, 3}, Memory.npz(zip.bytes()).floats("x"));
  }

  /** A sound archive of one array whose entry has that name. */
  private static HostileZip named(byte[] raw) {
    String filler = "n".repeat(Math.max(1, raw.length - 4));
    HostileZip zip = new HostileZip(NpzWriter.stored().add(filler, new float[1]).toBytes());
    zip.rename(0, Arrays.copyOf(raw, filler.length() + 4));
    return zip;
  }

  private static void refused(HostileZip zip, String words) {
    refused(zip.bytes(), words);
  }

  private static void refused(byte[] bytes, String words) {
    refused(bytes, NpzLimits.DEFAULT, words);
  }

  private static void refused(byte[] bytes, NpzLimits limits, String words) {
    refused(
        assertThrows(UserError.class, () -> Npz.open(Memory.FILE, new Memory(bytes), limits)),
        words);
  }

  /** The archive is sound as far as its directory tells; its array is not. */
  private static void refusedData(HostileZip zip, String words) {
    Npz npz = Memory.npz(zip.bytes());
    refused(assertThrows(UserError.class, () -> npz.floats("x")), words);
  }

  private static void refused(UserError error, String words) {
    assertTrue(error.getMessage().contains(words), error.getMessage());
    assertEquals(UserError.Kind.INVALID, error.kind());
  }
}
