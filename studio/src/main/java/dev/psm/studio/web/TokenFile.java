package dev.psm.studio.web;

import dev.psm.core.UserError;
import dev.psm.core.io.TextFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.regex.Pattern;

/** A file that holds a token, for its owner's eyes only. */
public final class TokenFile {
  /** Fewer characters could be guessed. */
  private static final int MIN_LENGTH = 20;

  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]+");
  private static final Set<PosixFilePermission> OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private TokenFile() {}

  /** The token, without the blanks and line breaks around it; never told in an error. */
  public static String read(Path file) {
    String token = TextFiles.read(file, "a token").strip();
    requirePrivate(file);
    if (token.length() < MIN_LENGTH || !TOKEN.matcher(token).matches()) {
      throw UserError.argument(
          "tokenFile",
          "%s must hold one token of at least %d letters, digits or any of . _ ~ + / = -, found %d"
              + " characters; openssl rand -hex 32 makes one",
          file,
          MIN_LENGTH,
          token.length());
    }
    return token;
  }

  private static void requirePrivate(Path file) {
    Set<PosixFilePermission> permissions;
    try {
      permissions = Files.getPosixFilePermissions(file);
    } catch (UnsupportedOperationException noSuchRights) {
      return;
    } catch (IOException e) {
      throw UserError.failed(e, "the permissions of %s cannot be read", file);
    }
    if (permissions.stream().anyMatch(OTHERS::contains)) {
      throw UserError.argument(
          "tokenFile", "others may read or write %s; chmod 600 it, and change the token", file);
    }
  }
}
