package dev.psm.app;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import dev.psm.studio.ModelShelf;
import dev.psm.studio.page.Studio;
import dev.psm.studio.web.WebServer;
import dev.psm.zeroshot.AgentFolder;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "studio",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Open a page on which a reward is typed, painted or posed, and see the agent obey at once.",
      "",
      "Without arguments it offers every agent under models/ and runs/, and the gridworld, which is pretrained on first"
          + " use. It listens on this machine only.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  ./psm studio",
      "  ./psm studio models/walker-psm runs/maze --port 8080"
    })
final class StudioCommand implements Callable<Integer> {
  private static final Path MADE = Path.of("runs", "studio");
  private static final List<Path> USUAL = List.of(Path.of("models"), Path.of("runs"));

  @Mixin private Output output;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..*",
      description = "Folders of agents or runs (default: all under models/ and runs/).")
  private List<Path> folders = List.of();

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8800",
      description = "The port; 0 for any free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(names = "--no-browser", description = "Do not open a browser.")
  private boolean noBrowser;

  @Override
  public Integer call() throws InterruptedException {
    Range.check("--port", port, 0, 65_535);
    ModelShelf shelf = new ModelShelf();
    folders.forEach(shelf::add);
    if (folders.isEmpty()) {
      USUAL.forEach(place -> addAll(place, shelf));
    }
    CountDownLatch stopped = new CountDownLatch(1);
    List<Path> runs = new ArrayList<>(folders);
    runs.add(Path.of("runs"));
    try (Studio studio = new Studio(shelf, WebServer.Settings.loopback(port), runs, MADE);
        Interruption interruption = new Interruption(stopped::countDown)) {
      output.say(
          "psm studio with %s: %s (Ctrl-C stops it)"
              .formatted(Wording.count(shelf.entries().size(), "agent"), studio.address()));
      output.finish(Json.object().put("address", studio.address()));
      if (!noBrowser) {
        Browser.open(studio.address());
      }
      stopped.await();
    }
    return 0;
  }

  /** A folder that cannot be looked into has none. */
  private static List<Path> folders(Path folder) {
    try {
      return OutputFolder.list(folder).stream().filter(Files::isDirectory).sorted().toList();
    } catch (UserError unreadable) {
      return List.of();
    }
  }

  /** Agents and runs in a folder and in the folders there; others are passed over. */
  private static void addAll(Path place, ModelShelf shelf) {
    if (!Files.isDirectory(place)) {
      return;
    }
    List<Path> next = new ArrayList<>(List.of(place));
    for (int depth = 0; depth < 4; depth++) {
      List<Path> level = next;
      next = new ArrayList<>();
      for (Path folder : level) {
        if (ZeroShotAgent.isIn(folder) || AgentFolder.isRun(folder)) {
          try {
            shelf.add(folder);
          } catch (UserError withoutAgent) {
            // A run that has not saved a model yet, which the page shows among the runs.
          }
        } else {
          next.addAll(folders(folder));
        }
      }
    }
  }
}
