package dev.psm.studio.runs;

import dev.psm.core.UserError;
import dev.psm.core.io.OutputFolder;
import dev.psm.studio.web.RequestError;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds runs in some folders and in the folders there. */
final class RunPlaces {
  private static final int DEPTH = 5;

  /** So that a place with very many other folders does not hold up the page. */
  private static final int MAX_FOLDERS = 20_000;

  private final List<Path> places;
  private volatile Map<String, Path> known = Map.of();

  RunPlaces(List<Path> places) {
    this.places = List.copyOf(places);
  }

  /** Runs by what the page calls them: their folder as somebody would type it. */
  Map<String, Path> find() {
    Map<String, Path> found = new LinkedHashMap<>();
    int[] looked = {0};
    places.forEach(place -> look(place, 0, found, looked));
    known = found;
    return found;
  }

  private static void look(Path folder, int depth, Map<String, Path> found, int[] looked) {
    if (!Files.isDirectory(folder) || looked[0]++ > MAX_FOLDERS) {
      return;
    }
    if (AgentFolder.isRun(folder)) {
      Path whole = folder.toAbsolutePath().normalize();
      Path here = Path.of("").toAbsolutePath();
      Path shown = whole.startsWith(here) ? here.relativize(whole) : whole;
      found.put(shown.toString(), whole);
      return;
    }
    if (depth == DEPTH) {
      return;
    }
    try {
      OutputFolder.list(folder).stream()
          .filter(each -> !each.getFileName().toString().startsWith("."))
          .sorted()
          .forEach(each -> look(each, depth + 1, found, looked));
    } catch (UserError unreadable) {
      // What cannot be listed shows no runs.
    }
  }

  /** Only what was found before: a request cannot name any other folder. */
  Path run(String id) {
    Path path = known.get(id);
    if (path == null) {
      path = find().get(id);
    }
    if (path == null) {
      throw RequestError.notFound("there is no run '%s'", id);
    }
    return path;
  }
}
