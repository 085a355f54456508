package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.rnd.DqnSettings;
import dev.psm.agents.rnd.ExplorerSettings;
import dev.psm.agents.rnd.RndSettings;
import dev.psm.core.UserError;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.settings.Settings;
import dev.psm.lab.compute.WorkContext;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A collection as a document that travels: an ordinary one, in a folder of its own.
 *
 * @param settings of wandering or of an explorer; empty for random actions
 * @param precision of a GPU; empty for the processor
 */
record CollectionPart(
    World world,
    Collection.Plan plan,
    Optional<Record> settings,
    Optional<Precision> precision,
    Path folder) {
  private static final String ENVIRONMENT = "environment";
  private static final String WORLD = "world";
  private static final String STEPS = "steps";
  private static final String ENVIRONMENTS = "environments";
  private static final String THREADS = "threads";
  private static final String SEED = "seed";
  private static final String FOLDER = "folder";
  private static final String POLICY = "policy";
  private static final String SETTINGS = "settings";
  private static final String PRECISION = "precision";
  private static final String RANDOM = "random";
  private static final String WANDER = "wander";

  String policy() {
    return settings
        .map(own -> own instanceof ExplorerSettings explorer ? explorer.policy() : WANDER)
        .orElse(RANDOM);
  }

  ObjectNode toJson() {
    ObjectNode node = Json.object().put(ENVIRONMENT, world.reference());
    node.set(WORLD, StoredWorld.of(world).toJson());
    node.put(STEPS, plan.steps()).put(ENVIRONMENTS, plan.environments());
    node.put(THREADS, plan.threads()).put(SEED, plan.seed());
    node.put(FOLDER, folder.toAbsolutePath().normalize().toString()).put(POLICY, policy());
    settings.ifPresent(own -> node.set(SETTINGS, Settings.toJson(own)));
    precision.ifPresent(own -> node.put(PRECISION, own.name()));
    return node;
  }

  static CollectionPart of(ObjectNode node) {
    String source = "a part of a collection";
    JsonField root = JsonField.of(source, node);
    World world = Worlds.resolve(root.get(ENVIRONMENT).text(), StoredWorld.in(root));
    String policy = root.get(POLICY).text();
    Optional<Record> settings =
        switch (policy) {
          case RANDOM -> Optional.empty();
          case WANDER ->
              Optional.of(Settings.fromJson(node.path(SETTINGS), WanderSettings.class, source));
          default -> Optional.of(explorer(policy, node, source));
        };
    return new CollectionPart(
        world,
        new Collection.Plan(
            root.get(STEPS).whole(1, Long.MAX_VALUE),
            root.get(ENVIRONMENTS).integer(1, Integer.MAX_VALUE),
            root.get(THREADS).integer(1, Integer.MAX_VALUE),
            root.get(SEED).whole(Long.MIN_VALUE, Long.MAX_VALUE)),
        settings,
        node.has(PRECISION)
            ? Optional.of(Precision.valueOf(node.path(PRECISION).asText()))
            : Optional.empty(),
        Path.of(root.get(FOLDER).text()));
  }

  private static Record explorer(String policy, ObjectNode node, String source) {
    for (ExplorerSettings known :
        List.of(
            RndSettings.presets().values().iterator().next(),
            DqnSettings.presets().values().iterator().next())) {
      if (policy.equals(known.policy())) {
        return Settings.fromJson(
            node.path(SETTINGS), known.getClass().asSubclass(Record.class), source);
      }
    }
    throw UserError.invalid("%s: no explorer is called '%s'", source, policy);
  }

  /** Refuses what {@link #collect} would, before anybody begins. */
  void check() {
    if (settings.isEmpty()) {
      return;
    }
    if (settings.get() instanceof ExplorerSettings explorer) {
      Collection.requireActions(explorer, world);
      explorer.requireEpisodes(world.name(), world.episodeSteps());
    } else {
      Collection.requireVectors(world);
    }
  }

  /** Collects, or goes on in a folder that holds this unfinished. */
  Collection.Result collect(WorkContext context) {
    if (settings.isEmpty()) {
      return Collection.atRandom(world, plan, folder, context);
    }
    if (settings.get() instanceof WanderSettings wander) {
      return Collection.byWandering(world, plan, wander, folder, context);
    }
    if (settings.get() instanceof ExplorerSettings explorer) {
      Device device = precision.map(Device::cuda).orElse(Device.CPU);
      return Collection.byCuriosity(world, plan, explorer, device, folder, context);
    }
    throw UserError.invalid("no collector has settings such as %s", settings.get());
  }
}
