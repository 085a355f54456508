package dev.psm.lab.control;

import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where agents lie: one in a folder of its own, or a run's folder with one per seed.
 *
 * <pre>
 *   run.json     what is being trained
 *   seed-0/      an agent
 *   seed-1/      another
 * </pre>
 */
public final class AgentFolder {
  private static final String RUN = "run.json";
  private static final Pattern SEED = Pattern.compile("seed-(-?[0-9]{1,18})");

  private final Path folder;
  private final NavigableMap<Long, Path> seeds;

  private AgentFolder(Path folder, NavigableMap<Long, Path> seeds) {
    this.folder = folder;
    this.seeds = seeds;
  }

  /** Whether a folder holds an agent, or a run that has some or will have. */
  public static boolean isOne(Path folder) {
    return ZeroShotAgent.isIn(folder)
        || Files.isRegularFile(folder.resolve(RUN))
        || (Files.isDirectory(folder) && !seedFolders(folder).isEmpty());
  }

  /** Refuses a folder without an agent, and says what it holds instead. */
  public static AgentFolder open(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw UserError.usage(
          "%s is not a folder; give the folder that pretrain --data wrote", folder);
    }
    if (Files.isRegularFile(folder.resolve(ZeroShotAgent.DESCRIPTION))) {
      return new AgentFolder(folder, Collections.emptyNavigableMap());
    }
    NavigableMap<Long, Path> begun = seedFolders(folder);
    NavigableMap<Long, Path> saved = new TreeMap<>(begun);
    saved.values().removeIf(each -> !Files.isRegularFile(each.resolve(ZeroShotAgent.DESCRIPTION)));
    if (saved.isEmpty()) {
      if (begun.isEmpty() && !Files.isRegularFile(folder.resolve(RUN))) {
        throw UserError.usage(
            "%s holds no agent: there is neither a %s nor a folder seed-N; pretrain --data writes"
                + " them",
            folder, ZeroShotAgent.DESCRIPTION);
      }
      throw UserError.usage("%s: training has not saved a model yet; try again later", folder);
    }
    return new AgentFolder(folder, saved);
  }

  private static NavigableMap<Long, Path> seedFolders(Path folder) {
    NavigableMap<Long, Path> found = new TreeMap<>();
    try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder, "seed-*")) {
      for (Path each : inside) {
        Matcher name = SEED.matcher(each.getFileName().toString());
        if (name.matches() && Files.isDirectory(each)) {
          found.put(Long.parseLong(name.group(1)), each);
        }
      }
    } catch (IOException e) {
      throw AtomicFiles.explain("list", folder, e);
    }
    return found;
  }

  /** The seeds of a run that have an agent, in order; empty for an agent's own folder. */
  public List<Long> seeds() {
    return List.copyOf(seeds.keySet());
  }

  /** The seed that {@link #agent()} takes. */
  public Optional<Long> firstSeed() {
    return seeds.isEmpty() ? Optional.empty() : Optional.of(seeds.firstKey());
  }

  /** The folder of the only agent, or of the lowest seed's. */
  public Path agent() {
    return seeds.isEmpty() ? folder : seeds.firstEntry().getValue();
  }

  /** The folder of a seed's agent. */
  public Path agent(long seed) {
    if (seeds.isEmpty()) {
      throw UserError.usage(
          "%s is the folder of a single agent, so there is no seed to choose; give the run's folder,"
              + " or no seed",
          folder);
    }
    Path chosen = seeds.get(seed);
    if (chosen == null) {
      throw UserError.usage(
          Files.isDirectory(folder.resolve("seed-" + seed))
              ? "%s: training has not saved a model of seed %d yet; there are models of seeds %s"
              : "%s has no seed %d; there are models of seeds %s",
          folder,
          seed,
          join(seeds()));
    }
    return chosen;
  }

  private static String join(List<Long> seeds) {
    return String.join(", ", seeds.stream().map(String::valueOf).toList());
  }
}
