package dev.psm.agents;

import dev.psm.torch.NativeLibraries;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** For tests that call libtorch before any class of psm does. */
public final class LibtorchExtension implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    NativeLibraries.prepare();
  }
}
