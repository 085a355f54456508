package dev.psm.zeroshot;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.io.OutputFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

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
  /** Says what is being trained; written before anything else of a run. */
  public static final String RUN = "run.json";

  /** Where a run waits that a new one in the same folder replaces. */
  public static final String REPLACED = ".replaced";

  private static final String SEED = "seed-";

  private final Path folder;
  private final NavigableMap<Long, Path> seeds;

  private AgentFolder(Path folder, NavigableMap<Long, Path> seeds) {
    this.folder = folder;
    this.seeds = seeds;
  }

  /** Whether a run was begun in a folder. */
  public static boolean isRun(Path folder) {
    return Files.isRegularFile(folder.resolve(RUN));
  }

  /** Where a run keeps what belongs to a seed. */
  public static Path seedFolder(Path run, long seed) {
    return run.resolve(SEED + seed);
  }

  /** The folders of a run's seeds, in the order of their numbers. */
  public static NavigableMap<Long, Path> seedFolders(Path run) {
    NavigableMap<Long, Path> found = new TreeMap<>();
    for (Path file : OutputFolder.list(run)) {
      seedOf(file).filter(seed -> Files.isDirectory(file)).ifPresent(seed -> found.put(seed, file));
    }
    return found;
  }

  /** Whether both files of a seed's agent are there, whatever they hold. */
  public static boolean holdsModel(Path seedFolder) {
    return Files.isRegularFile(seedFolder.resolve(ZeroShotAgent.DESCRIPTION))
        && Files.isRegularFile(seedFolder.resolve(AgentTensors.WHOLE));
  }

  private static Optional<Long> seedOf(Path file) {
    String name = file.getFileName().toString();
    try {
      long seed = Long.parseLong(name.startsWith(SEED) ? name.substring(SEED.length()) : "");
      return name.equals(SEED + seed) ? Optional.of(seed) : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Refuses a folder without an agent, and says what it holds instead. */
  public static AgentFolder open(Path folder) {
    Objects.requireNonNull(folder, "folder");
    if (!Files.isDirectory(folder)) {
      throw UserError.invalid("%s is not a folder; give that of a run or of an agent", folder)
          .with(Remedy.PRETRAIN);
    }
    if (Files.isRegularFile(folder.resolve(ZeroShotAgent.DESCRIPTION))) {
      return new AgentFolder(folder, Collections.emptyNavigableMap());
    }
    NavigableMap<Long, Path> begun = seedFolders(folder);
    NavigableMap<Long, Path> saved = new TreeMap<>(begun);
    saved.values().removeIf(each -> !Files.isRegularFile(each.resolve(ZeroShotAgent.DESCRIPTION)));
    if (saved.isEmpty()) {
      if (begun.isEmpty() && !isRun(folder)) {
        throw UserError.invalid(
                "%s holds no agent: there is neither a %s nor a folder seed-N",
                folder, ZeroShotAgent.DESCRIPTION)
            .with(Remedy.PRETRAIN);
      }
      throw UserError.invalid(
              "%s: training has not saved a model yet%s; wait for its first evaluation, or, if it is"
                  + " no longer under way, resume it",
              folder,
              isRun(folder.resolve(REPLACED))
                  ? " (the run that it replaces is still in %s)".formatted(folder.resolve(REPLACED))
                  : "")
          .with(Remedy.RESUME, folder);
    }
    return new AgentFolder(folder, saved);
  }

  /** Where its agents act, from the description alone. */
  public World world() {
    Path file = agent().resolve(ZeroShotAgent.DESCRIPTION);
    return ModelFormat.of(JsonField.read(file), file).world();
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
    return seeds.isEmpty() ? folder : agent(seeds.firstKey());
  }

  /** The folder of a seed's agent. */
  public Path agent(long seed) {
    if (seeds.isEmpty()) {
      throw UserError.invalid(
          "%s is the folder of a single agent, so there is no seed to choose; give the run's folder,"
              + " or no seed",
          folder);
    }
    Path chosen = seeds.get(seed);
    if (chosen == null) {
      throw UserError.invalid(
          Files.isDirectory(seedFolder(folder, seed))
              ? "%s: training has not saved a model of seed %d yet; there are models of seeds %s"
              : "%s has no seed %d; there are models of seeds %s",
          folder,
          seed,
          join(seeds()));
    }
    requireMember(chosen.resolve(ZeroShotAgent.DESCRIPTION), seed);
    return chosen;
  }

  /** Files are copied about, and an agent of another run or seed would be graded as this one. */
  private void requireMember(Path model, long seed) {
    JsonNode found = Json.read(model);
    requireSame(model, "seed", found.path("seed"), LongNode.valueOf(seed), "its folder");
    Path run = folder.resolve(RUN);
    if (Files.isRegularFile(run)) {
      JsonNode wanted = Json.read(run);
      for (String field : List.of("agent", "data.fingerprint")) {
        JsonPointer place = JsonPointer.compile("/" + field.replace('.', '/'));
        requireSame(model, field, found.at(place), wanted.at(place), run);
      }
    }
  }

  private static void requireSame(
      Path model, String field, JsonNode found, JsonNode wanted, Object source) {
    boolean told = !found.isMissingNode() && !wanted.isMissingNode();
    if (told && !found.asText().equals(wanted.asText())) {
      throw UserError.invalid(
          "%s, field %s: expected %s as %s says, found %s; the model is not the one that was saved"
              + " there: bring that back, or give the folder of a single agent",
          model, field, shown(wanted), source, shown(found));
    }
  }

  private static String shown(JsonNode value) {
    return Wording.oneLine(value.asText());
  }

  private static String join(List<Long> seeds) {
    return String.join(", ", seeds.stream().map(String::valueOf).toList());
  }
}
