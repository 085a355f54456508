package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Only the command speaks of options and commands; what a library says is for any program. */
class LibraryWordsTest {
  /** What else looks like an option: options of compilers, properties of style sheets. */
  private static final Pattern OTHERS =
      Pattern.compile(
          "--(page|text|quiet|rule|panel|link|wide): |var\\(--[a-z]+|--gpu-architecture=|--release 17");

  private static final Pattern COMMAND_WORDS =
      Pattern.compile(
          "--[a-z]|\\./psm|\\bpsm (%s)\\b"
              .formatted(String.join("|", new CommandLine(new Psm()).getSubcommands().keySet())));

  /** These start other programs, by those programs' options. */
  private static final Set<String> STARTERS =
      Set.of("dev.psm.bench.Chromium", "dev.psm.lab.compute.SlurmScripts");

  @Test
  void noModuleBelowTheCommandNamesOptionsOrCommands() {
    List<String> found = new ArrayList<>();
    int looked = 0;
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.psm")) {
      if (!type.getPackageName().startsWith("dev.psm.app") && !STARTERS.contains(type.getName())) {
        for (String text : strings(type)) {
          looked++;
          if (COMMAND_WORDS.matcher(OTHERS.matcher(text).replaceAll("")).find()) {
            found.add(type.getName() + ": " + text);
          }
        }
      }
    }
    assertTrue(looked > 1000, "only %d strings were looked at".formatted(looked));
    assertEquals(List.of(), found);
  }

  @Test
  void commandWordsAreRecognised() {
    for (String text : List.of("choose another --out", "by ./psm export", "'psm pretrain' does")) {
      assertTrue(COMMAND_WORDS.matcher(text).find(), text);
    }
    assertTrue(
        strings(new ClassFileImporter().importClass(LibraryWordsTest.class))
            .contains("choose another --out"));
  }

  /** The string constants of a class file, patterns of concatenations among them. */
  private static List<String> strings(JavaClass type) {
    try (DataInputStream file =
        new DataInputStream(
            new BufferedInputStream(
                type.getSource().orElseThrow().getUri().toURL().openStream()))) {
      file.skipNBytes(8);
      int count = file.readUnsignedShort();
      Map<Integer, String> texts = new HashMap<>();
      List<Integer> constants = new ArrayList<>();
      for (int i = 1; i < count; i++) {
        int tag = file.readUnsignedByte();
        switch (tag) {
          case 1 -> texts.put(i, file.readUTF());
          case 8 -> constants.add(file.readUnsignedShort());
          case 5, 6 -> {
            // A long or a double takes two places.
            file.skipNBytes(8);
            i++;
          }
          case 7, 16, 19, 20 -> file.skipNBytes(2);
          case 15 -> file.skipNBytes(3);
          case 3, 4, 9, 10, 11, 12, 17, 18 -> file.skipNBytes(4);
          default -> throw new IOException("constant of kind " + tag);
        }
      }
      return constants.stream().map(texts::get).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(type.getName(), e);
    }
  }
}
