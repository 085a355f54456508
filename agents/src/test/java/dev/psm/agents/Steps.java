package dev.psm.agents;

import dev.psm.agents.training.Experience;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.data.Episode;
import dev.psm.core.env.Space;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Quantity;
import dev.psm.torch.Device;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;

/**
 * A world small enough for every answer to be known, yet with continuous actions: states in a row,
 * seen as unit vectors, of which the sign of a single action leads one place down or up. A line has
 * walls at its ends; a ring has none.
 */
public record Steps(int states, boolean ring) {
  public static final double DOWN = -0.7;
  public static final double UP = 0.7;

  public int next(int state, double action) {
    int place = state + (action < 0 ? -1 : 1);
    return ring ? Math.floorMod(place, states) : Math.max(0, Math.min(states - 1, place));
  }

  public float[] observation(int state) {
    float[] observation = new float[states];
    observation[state] = 1;
    return observation;
  }

  /** Every state's observation, one after the other. */
  public float[] observations() {
    float[] all = new float[states * states];
    for (int state = 0; state < states; state++) {
      all[state * states + state] = 1;
    }
    return all;
  }

  /** Uniformly random actions; half of all episodes on a line start at its lower end. */
  public Experience collect(Path folder, int episodes, int length, long seed) {
    return new Experience(write(folder, episodes, length, seed, false));
  }

  /** Every episode holds one random action, so that transitions of any length are known. */
  public Dataset collectHeld(Path folder, int episodes, int length, long seed) {
    Random random = new Random(seed);
    DatasetDescription description =
        new DatasetDescription(
            "steps", "none", "held", Json.object(), seed, new Columns(states, 1, 0));
    try (DatasetWriter writer = DatasetWriter.create(folder, description)) {
      for (int i = 0; i < episodes; i++) {
        float action = 2 * random.nextFloat() - 1;
        int start = random.nextInt(states);
        writer.append(episode(start, length, () -> action, false));
      }
      writer.flush();
    }
    return Dataset.open(folder);
  }

  /** Where an action leads that is held for so many steps. */
  public int next(int state, double action, int steps) {
    int reached = state;
    for (int step = 0; step < steps; step++) {
      reached = next(reached, action);
    }
    return reached;
  }

  private Dataset write(Path folder, int episodes, int length, long seed, boolean numbered) {
    Random random = new Random(seed);
    DatasetDescription description =
        new DatasetDescription(
            "steps", "none", "random", Json.object(), seed, new Columns(states, 1, 0));
    try (DatasetWriter writer = DatasetWriter.create(folder, description)) {
      for (int i = 0; i < episodes; i++) {
        boolean low = !ring && random.nextBoolean();
        DoubleSupplier action = () -> numbered ? random.nextInt(2) : 2 * random.nextFloat() - 1;
        writer.append(episode(low ? 0 : random.nextInt(states), length, action, numbered));
      }
      writer.flush();
    }
    return Dataset.open(folder);
  }

  /** The same with two numbered actions, down and up. */
  public Experience collectNumbered(Path folder, int episodes, int length, long seed) {
    return new Experience(
        write(folder, episodes, length, seed, true), Device.CPU, new Space.Discrete(2));
  }

  /** Of which only data is known, with numbered actions. */
  public World numbered() {
    return numbered(World.DEFAULT_DISCOUNT);
  }

  public World numbered(double discount) {
    List<Quantity> places =
        IntStream.range(0, states)
            .mapToObj(i -> new Quantity("place_" + i, "", "whether it is there"))
            .toList();
    return new StoredWorld(
        "steps",
        "states in a row",
        states,
        new Space.Discrete(2),
        places,
        true,
        List.of(),
        List.of(),
        List.of(),
        100,
        0.1,
        discount,
        0,
        Optional.empty(),
        Optional.empty());
  }

  private Episode episode(int start, int length, DoubleSupplier action, boolean numbered) {
    float[] observations = new float[(length + 1) * states];
    float[] actions = new float[length + 1];
    float[] discounts = new float[length + 1];
    int state = start;
    for (int t = 0; t <= length; t++) {
      if (t > 0) {
        actions[t] = (float) action.getAsDouble();
        state = next(state, numbered ? actions[t] - 0.5 : actions[t]);
      }
      observations[t * states + state] = 1;
      discounts[t] = 1;
    }
    return new Episode(observations, actions, discounts, new double[0], Map.of());
  }

  /** ρ: how often a transition of the data enters each state. */
  public double[] entered(Dataset data) {
    double[] counts = new double[states];
    for (int episode = 0; episode < data.episodes(); episode++) {
      float[] observations = data.episode(episode).observations();
      for (int i = states; i < observations.length; i++) {
        counts[i % states] += observations[i];
      }
    }
    for (int state = 0; state < states; state++) {
      counts[state] /= data.transitions();
    }
    return counts;
  }

  /**
   * How often a policy enters each state, discounted: M(s, a, s⁺) = Σ_t γ^t P(s_{t+1} = s⁺).
   *
   * @param up the chance that the policy moves up, per state
   * @return by state, first action (down, up) and entered state
   */
  public double[][][] measure(double[] up, double discount) {
    return measure(up, discount, 1);
  }

  /**
   * The same where every action is held for so many steps.
   *
   * @param discount from one action to the next
   */
  public double[][][] measure(double[] up, double discount, int steps) {
    double[][][] measure = new double[states][2][states];
    for (int sweep = 0; sweep < 1000; sweep++) {
      double[][][] old = measure;
      measure = new double[states][2][states];
      for (int state = 0; state < states; state++) {
        for (int action = 0; action < 2; action++) {
          int next = next(state, action == 0 ? DOWN : UP, steps);
          measure[state][action][next] = 1;
          for (int entered = 0; entered < states; entered++) {
            measure[state][action][entered] +=
                discount
                    * ((1 - up[next]) * old[next][0][entered] + up[next] * old[next][1][entered]);
          }
        }
      }
    }
    return measure;
  }

  /** The best that can be had of a reward of 1 for entering the goal: by state and action. */
  public double[][] optimal(int goal, double discount) {
    return optimal(goal, goal, discount);
  }

  /** The same where all states from the first to the last are the goal. */
  public double[][] optimal(int first, int last, double discount) {
    double[][] values = new double[states][2];
    for (int sweep = 0; sweep < 1000; sweep++) {
      double[][] old = values;
      values = new double[states][2];
      for (int state = 0; state < states; state++) {
        for (int action = 0; action < 2; action++) {
          int next = next(state, action == 0 ? DOWN : UP);
          values[state][action] =
              (next >= first && next <= last ? 1 : 0)
                  + discount * Math.max(old[next][0], old[next][1]);
        }
      }
    }
    return values;
  }
}
