package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.DatasetGathering;
import dev.psm.core.env.World;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.AtomicFolders;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import dev.psm.core.settings.Settings;
import dev.psm.lab.compute.TaskResult;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.pass.PassWork;
import dev.psm.torch.Precision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects one dataset in parts, each an ordinary collection with a seed of its own, and gathers
 * them. How many parts there are is a part of what a seed means; who collects them, and how many at
 * once, is not.
 *
 * <pre>
 *   parts/plan.json       what was asked for
 *   parts/part-000000/    a dataset; gone once it belongs to the whole
 *   dataset.json          the whole, once all parts are complete
 * </pre>
 */
public final class PartedCollection {
  /** In the settings of a gathered dataset: how many parts it has. */
  static final String PARTS = "parts";

  private static final long PAUSE_MILLIS = 1000;
  private static final String PART_SEEDS = "partSeeds";
  private static final String FOLDER = "parts";
  private static final String PLAN = "plan.json";

  /** Of one collection. */
  public static final int MAX_PARTS = 10_000;

  private final World world;
  private final Collection.Plan plan;
  private final int count;
  private final Path folder;
  private final List<CollectionPart> parts = new ArrayList<>();

  /**
   * What is wanted.
   *
   * @param plan of the whole; its threads are each part's
   * @param count of parts
   * @param settings of wandering or of an explorer; empty for random actions
   * @param precision of a GPU; empty for the processor
   */
  public PartedCollection(
      World world,
      Collection.Plan plan,
      int count,
      Optional<Record> settings,
      Optional<Precision> precision,
      Path folder) {
    if (count < 2 || count > Math.min(MAX_PARTS, plan.steps())) {
      throw UserError.argument(
          PARTS, "must be from 2 to %d, and no more than the steps, found %d", MAX_PARTS, count);
    }
    this.world = world;
    this.plan = plan;
    this.count = count;
    this.folder = folder;
    for (int part = 0; part < count; part++) {
      long steps = plan.steps() / count + (part < plan.steps() % count ? 1 : 0);
      Collection.Plan own =
          new Collection.Plan(
              steps,
              plan.environments(),
              plan.threads(),
              Seeds.mix(plan.seed(), part, "collection part"));
      parts.add(new CollectionPart(world, own, settings, precision, partFolder(part)));
    }
  }

  private Path partFolder(int part) {
    return folder.resolve(FOLDER).resolve(Wording.format("part-%06d", part));
  }

  /** Collects what is missing, and gathers it. */
  public Collection.Result run(Workers workers, WorkContext context) {
    boolean something =
        OutputFolder.holds(
            folder, "a dataset", own -> Dataset.isIn(own) || Files.isRegularFile(planFile()));
    if (something && Dataset.isIn(folder)) {
      return found();
    }
    parts.get(0).check();
    begin();
    long start = System.nanoTime();
    Sums sums = new Sums();
    boolean all = perform(workers, context, sums);
    sums.refuse(folder);
    if (all) {
      gather();
    }
    return sums.result((System.nanoTime() - start) / 1e9, all);
  }

  /** A part that another process has is waited for: it may be given up, or be complete then. */
  private boolean perform(Workers workers, WorkContext context, Sums sums) {
    CollectionWork work = new CollectionWork();
    List<ObjectNode> open = parts.stream().map(CollectionPart::toJson).toList();
    boolean told = false;
    while (true) {
      List<ObjectNode> tried = open;
      List<ObjectNode> busy = new ArrayList<>();
      boolean all =
          workers.perform(
              CollectionWork.class,
              Wording.count(count, "part"),
              tried,
              context,
              result -> {
                if (result.answer().filter(work::isBusy).isPresent()) {
                  busy.add(tried.get(result.index()));
                } else {
                  sums.add(result);
                }
              });
      if (!all || busy.isEmpty()) {
        return all;
      }
      if (!told) {
        told = true;
        context
            .notes()
            .accept(
                "another process collects %s of %s; waiting for it"
                    .formatted(Wording.count(busy.size(), "part"), folder));
      }
      open = busy;
      if (!pause(context)) {
        return false;
      }
    }
  }

  private static boolean pause(WorkContext context) {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return !context.stop().getAsBoolean();
  }

  private Path planFile() {
    return folder.resolve(FOLDER).resolve(PLAN);
  }

  /** Another plan in the same folder would mix two collections. */
  private void begin() {
    ObjectNode wanted = planned();
    if (!Files.isRegularFile(planFile())) {
      Json.write(planFile(), wanted);
      return;
    }
    requireSame(wanted, (ObjectNode) Json.read(planFile()), "an unfinished collection");
  }

  private ObjectNode planned() {
    ObjectNode wanted = parts.get(0).toJson();
    wanted.remove(List.of("world", "folder", "threads"));
    return wanted
        .put(PARTS, count)
        .put("steps", plan.steps())
        .put("seed", plan.seed())
        .put("engine", world.engine());
  }

  private void requireSame(ObjectNode wanted, ObjectNode found, String what) {
    for (Iterator<String> keys = wanted.fieldNames(); keys.hasNext(); ) {
      String key = keys.next();
      // As text, since numbers come back as other types of the same value.
      String there = found.path(key).toString();
      String here = wanted.path(key).toString();
      if (!there.equals(here)) {
        throw UserError.invalid(
            "%s holds %s with %s %s, not %s; give the same to go on with it, or choose another"
                + " folder",
            folder, what, key, there.isEmpty() ? "1" : there, here);
      }
    }
  }

  /** Of a finished one: the same again, or refused. */
  private Collection.Result found() {
    try (Dataset dataset = Dataset.open(folder)) {
      DatasetDescription description = dataset.description();
      ObjectNode found = description.settings();
      if (!found.has(PARTS)) {
        throw UserError.invalid(
            "%s holds a collection in one go, which cannot go on in parts; leave the number of parts"
                + " out, or choose another folder",
            folder);
      }
      ObjectNode wanted = Json.object();
      wanted.put("environment", world.reference()).put("policy", parts.get(0).policy());
      wanted.put("seed", plan.seed()).put("engine", world.engine()).put(PARTS, count);
      wanted.put("environments", plan.environments());
      parts.get(0).settings().ifPresent(own -> wanted.setAll(Settings.toJson(own)));
      found.put("environment", description.environment()).put("policy", description.collector());
      found.put("seed", description.seed()).put("engine", description.engine());
      requireSame(wanted, found, "a collection");
      if (dataset.transitions() < plan.steps()) {
        throw UserError.invalid(
            "%s holds %s, gathered from %s; more would change the numbers of its rows, so a larger"
                + " dataset of parts is collected into another folder",
            folder, Wording.count(dataset.transitions(), "step"), Wording.count(count, "part"));
      }
      removeParts();
      return new Collection.Result(dataset.transitions(), 0, 0, 0, 0, 0, 0, Map.of(), true);
    }
  }

  private void gather() {
    List<Path> folders = parts.stream().map(CollectionPart::folder).toList();
    ObjectNode settings;
    try (Dataset first = Dataset.open(folders.get(0))) {
      settings = first.description().settings();
    }
    settings.put(PARTS, count);
    ArrayNode seeds = settings.putArray(PART_SEEDS);
    parts.forEach(part -> seeds.add(part.plan().seed()));
    DatasetGathering.gather(folder, folders, plan.seed(), settings);
    removeParts();
  }

  private void removeParts() {
    try {
      AtomicFolders.deleteTree(folder.resolve(FOLDER));
    } catch (IOException e) {
      throw AtomicFiles.explain("delete", folder.resolve(FOLDER), e);
    }
  }

  /** What the parts tell of themselves. */
  private static final class Sums {
    private final List<UserError> wrong = new ArrayList<>();
    private long added;
    private long divergences;
    private double busy;
    private double physics;
    private double explorer;
    private double writing;

    void add(TaskResult result) {
      PassWork.error(result).ifPresent(wrong::add);
      result
          .answer()
          .ifPresent(
              answer -> {
                added += answer.path(CollectionWork.ADDED).asLong();
                divergences += answer.path(CollectionWork.DIVERGENCES).asLong();
                busy += answer.path(CollectionWork.SECONDS).asDouble();
                physics += answer.path(CollectionWork.PHYSICS).asDouble();
                explorer += answer.path(CollectionWork.EXPLORER).asDouble();
                writing += answer.path(CollectionWork.WRITING).asDouble();
              });
    }

    void refuse(Path folder) {
      if (wrong.size() == 1) {
        throw wrong.get(0);
      }
      if (!wrong.isEmpty()) {
        throw UserError.failed(
            wrong.get(0),
            "%d parts of %s failed, the first because %s; the others are kept, and the same command"
                + " goes on",
            wrong.size(),
            folder,
            wrong.get(0).getMessage());
      }
    }

    /** Shares of the time are those of the parts, which are collected side by side. */
    Collection.Result result(double seconds, boolean finished) {
      double share = busy == 0 ? 0 : seconds / busy;
      return new Collection.Result(
          0,
          added,
          seconds,
          physics * share,
          explorer * share,
          writing * share,
          divergences,
          Map.of(),
          finished);
    }
  }
}
