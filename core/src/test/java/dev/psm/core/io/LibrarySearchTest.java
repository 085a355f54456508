package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibrarySearchTest {
  @TempDir private Path folder;
  private Path first;
  private Path cached;
  private Path last;

  @BeforeEach
  void makeFolders() throws IOException {
    first = Files.createDirectory(folder.resolve("first"));
    cached = Files.createDirectory(folder.resolve("cached"));
    last = Files.createDirectory(folder.resolve("last"));
  }

  @Test
  void foldersComeBeforeTheCacheAndTheCacheBeforeTheLoadersOwn() throws IOException {
    LibrarySearch search = search("\tlibx.so.1 (libc6,x86-64) => " + cached.resolve("libx.so.1"));
    Path own = Files.createFile(last.resolve("libx.so.1"));
    assertEquals(Optional.of(own), search.find("libx.so.1"));
    Path listed = Files.createFile(cached.resolve("libx.so.1"));
    assertEquals(Optional.of(listed), search.find("libx.so.1"));
    Path early = Files.createFile(first.resolve("libx.so.1"));
    assertEquals(Optional.of(early), search.find("libx.so.1"));
  }

  @Test
  void librariesOf32BitsAreNotTaken() throws IOException {
    Path small = Files.createFile(cached.resolve("small"));
    Path large = Files.createFile(cached.resolve("large"));
    LibrarySearch search =
        search(
            "\tlibx.so.1 (libc6) => " + small + "\n\tlibx.so.1 (libc6,x86-64) => " + large + "\n");
    assertEquals(Optional.of(large), search.find("libx.so.1"));
  }

  @Test
  void whatIsNowhereOrAFolderIsNotFound() throws IOException {
    Files.createDirectory(first.resolve("liby.so"));
    LibrarySearch search = search("3 libs found in cache\nnonsense => \n");
    assertEquals(Optional.empty(), search.find("libx.so.1"));
    assertEquals(Optional.empty(), search.find("liby.so"));
  }

  @Test
  void emptyPartsOfAListAreNoFolders() {
    assertEquals(List.of(Path.of("/a"), Path.of("/b")), LibrarySearch.folders(":/a::/b:"));
    assertEquals(List.of(), LibrarySearch.folders(null));
    assertEquals(List.of(), LibrarySearch.folders("\0"));
  }

  private LibrarySearch search(String cache) {
    return new LibrarySearch(List.of(first), cache, List.of(last));
  }
}
