package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.app.bundle.ByteSize;
import dev.psm.core.io.Json;
import dev.psm.torch.NativeCache;
import dev.psm.torch.NativeLibraries;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "cache",
    mixinStandardHelpOptions = true,
    description = {
      "The native libraries that psm unpacked: where they are and how large. The folder is PSM_CACHE, or else psm in"
          + " XDG_CACHE_HOME or ~/.cache; a bundle has its own.",
      ""
    })
final class CacheCommand implements Callable<Integer> {
  @Mixin private Output output;

  @Option(
      names = "--clear",
      description =
          "Delete them; the next command that needs them unpacks them again. Running ones are not disturbed.")
  private boolean clear;

  @Override
  public Integer call() {
    NativeCache cache = NativeLibraries.cache();
    NativeCache.Content content = cache.content();
    output.say("folder    " + cache.root());
    List<String> used = NativeLibraries.used();
    ObjectNode document = Json.object().put("folder", cache.root().toString());
    ArrayNode libraries = document.putArray("unpacked");
    for (NativeCache.Unpacked unpacked : content.unpacked()) {
      boolean current = used.contains(unpacked.name());
      output.say(
          String.format(
              Locale.ROOT,
              "%9s %s%s",
              ByteSize.words(unpacked.bytes()),
              unpacked.name(),
              current ? "" : ", of another version or build"));
      libraries
          .addObject()
          .put("name", unpacked.name())
          .put("bytes", unpacked.bytes())
          .put("current", current);
    }
    output.say("%9s in all".formatted(ByteSize.words(content.bytes())));
    document.put("bytes", content.bytes()).put("processes", content.processes());
    if (clear) {
      cache.clear();
      output.say("cleared");
    }
    if (content.processes() > 0) {
      output.say(
          "in use by %d running psm%s"
              .formatted(
                  content.processes(), clear ? ", so the space is free when they have ended" : ""));
    }
    output.finish(document.put("cleared", clear));
    return 0;
  }
}
