package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.rnd.ExplorerSettings;
import dev.psm.agents.rnd.NStepReplay;
import dev.psm.agents.rnd.RndExplorer;
import dev.psm.core.data.Episode;
import dev.psm.core.env.World;
import dev.psm.core.io.TensorData;
import dev.psm.core.settings.Settings;
import dev.psm.torch.Device;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** RND: seeks states in which a learned network still fails to predict a random one. */
final class CuriousExplorer implements Explorer {
  private final ExplorerSettings settings;
  private final Device device;
  private final RndExplorer agent;
  private final NStepReplay replay;

  CuriousExplorer(World world, ExplorerSettings settings, long seed, Device device) {
    settings.requireEpisodes(world.name(), world.episodeSteps());
    this.settings = settings;
    this.device = device;
    agent = new RndExplorer(settings, world.observationSize(), world.actionSpace(), seed, device);
    replay = NStepReplay.of(settings, world.observationSize(), world.actionSize());
  }

  @Override
  public String name() {
    return settings.policy();
  }

  @Override
  public ObjectNode settings() {
    return Settings.toJson((Record) settings).put(Collection.DEVICE, device.describe());
  }

  @Override
  public float[] act(float[] observations, int count) {
    if (!device.isCuda()) {
      learn();
      return agent.act(observations, count);
    }
    // Updates are only started here, and done while the environments move; acting after them would
    // wait for them first. The actor is thus one step of all environments older.
    float[] actions = agent.act(observations, count);
    learn();
    return actions;
  }

  @Override
  public boolean isLearning() {
    return replay.size() > 0;
  }

  /** Nothing is due before the first episodes are remembered. */
  private void learn() {
    if (replay.size() > 0) {
      agent.update(replay, agent.updatesDue());
    }
  }

  /** An episode that blew up too early for n steps holds nothing to learn from. */
  @Override
  public void remember(Episode episode) {
    if (episode.transitions() < settings.nStep()) {
      return;
    }
    // The replay wants the action taken in a state, the store holds the one that led to it.
    float[] actions = episode.actions();
    float[] discounts = episode.discounts();
    replay.append(
        episode.observations(),
        Arrays.copyOfRange(actions, actions.length / episode.rows(), actions.length),
        Arrays.copyOfRange(discounts, 1, discounts.length));
  }

  @Override
  public Map<String, TensorData> state() {
    return new HashMap<>(agent.tensors());
  }

  @Override
  public void restore(Map<String, TensorData> state, String file) {
    agent.load(state, file);
  }

  @Override
  public Map<String, Double> metrics() {
    return agent.metrics();
  }

  @Override
  public void close() {
    agent.close();
  }
}
