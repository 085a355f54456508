package dev.psm.torch;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** For tests that call libtorch before any class of psm does. */
public final class NativeLibrariesExtension implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    NativeLibraries.prepare();
  }
}
