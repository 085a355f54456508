package dev.psm.app.bundle;

import dev.psm.core.io.Hashes;
import dev.psm.lab.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A bundle's folder while it is being filled. */
final class StagingFolder {
  static final String MANIFEST = "manifest.sha256";

  private static final int BLOCK_BYTES = 1 << 20;
  private static final long MEGABYTE = 1_000_000;

  private final Path folder;
  private final BooleanSupplier stop;

  StagingFolder(Path folder, BooleanSupplier stop) {
    this.folder = folder;
    this.stop = stop;
  }

  Path folder() {
    return folder;
  }

  /** Copies files, each to its name in the bundle. */
  void copy(String label, Map<String, Path> sources, Progress progress) throws IOException {
    long total = 0;
    for (Path source : sources.values()) {
      total += Files.size(source);
    }
    try (Progress.Bar bar = progress.start(label + ", MB", total / MEGABYTE)) {
      long[] done = {0};
      for (Map.Entry<String, Path> entry : sources.entrySet()) {
        Path target = folder.resolve(entry.getKey());
        Files.createDirectories(target.getParent());
        try (InputStream in = Files.newInputStream(entry.getValue());
            OutputStream out = Files.newOutputStream(target)) {
          blocks(
              in,
              (bytes, length) -> {
                out.write(bytes, 0, length);
                done[0] += length;
                bar.update(done[0] / MEGABYTE, "");
              });
        }
      }
    }
  }

  /** One of the scripts that lie beside this class. */
  void script(String name, boolean executable) throws IOException {
    Path file = folder.resolve(name);
    try (InputStream in = StagingFolder.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("psm's jar holds no " + name);
      }
      Files.write(file, in.readAllBytes());
    }
    if (executable) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  /** Writes the SHA-256 of all that is there, as sha256sum does; links are their files. */
  void manifest(Progress progress) throws IOException {
    Map<String, String> digests = new TreeMap<>();
    List<Path> files = walk().stream().filter(Files::isRegularFile).toList();
    try (Progress.Bar bar = progress.start("checksums, files", files.size())) {
      for (Path file : files) {
        Stopped.check(stop);
        digests.put(name(file), Hashes.sha256(file));
        bar.update(digests.size(), "");
      }
    }
    writeManifest(digests);
  }

  void writeManifest(Map<String, String> digests) throws IOException {
    Files.writeString(
        folder.resolve(MANIFEST),
        digests.entrySet().stream()
            .map(entry -> entry.getValue() + "  " + entry.getKey() + "\n")
            .collect(Collectors.joining()));
  }

  /** Writes all that is there as a tar archive. */
  void archive(OutputStream out, Progress progress) throws IOException {
    try (TarWriter tar = new TarWriter(out);
        Progress.Bar bar = progress.start("archive, MB", bytes() / MEGABYTE)) {
      long[] done = {0};
      for (Path file : walk()) {
        long seconds = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toMillis() / 1000;
        if (Files.isSymbolicLink(file)) {
          tar.link(name(file), Files.readSymbolicLink(file).toString(), seconds);
        } else if (Files.isDirectory(file)) {
          tar.folder(name(file), seconds);
        } else {
          long size = Files.size(file);
          tar.file(name(file), Files.isExecutable(file), size, seconds);
          try (InputStream in = Files.newInputStream(file)) {
            blocks(
                in,
                (bytes, length) -> {
                  tar.content(bytes, length);
                  done[0] += length;
                  bar.update(done[0] / MEGABYTE, "");
                });
          }
          tar.endFile(size);
        }
      }
    }
  }

  long bytes() throws IOException {
    long bytes = 0;
    for (Path file : walk()) {
      bytes += Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? Files.size(file) : 0;
    }
    return bytes;
  }

  private List<Path> walk() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> !file.equals(folder)).sorted().toList();
    }
  }

  private String name(Path file) {
    return folder.relativize(file).toString();
  }

  private interface Block {
    void take(byte[] bytes, int length) throws IOException;
  }

  private void blocks(InputStream in, Block block) throws IOException {
    byte[] bytes = new byte[BLOCK_BYTES];
    for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
      Stopped.check(stop);
      block.take(bytes, length);
    }
  }
}
