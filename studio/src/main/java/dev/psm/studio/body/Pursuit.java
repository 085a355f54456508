package dev.psm.studio.body;

import dev.psm.core.reward.Task;
import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.util.List;
import java.util.Optional;

/**
 * What became of a prompt: the policy, and what there is to show beside it.
 *
 * @param target the episode's goal, where the prompt puts one in its place
 * @param ghost stored states in which the ghost stands, one per step and the last one stays
 * @param drawn whether the goal is the episode's own, so that the next one asks for another
 * @param warning in words, how the goal lies far outside the data
 * @param constant whether the reward is the same in the whole sample, so there is nothing to pursue
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Pursuit(
    Asked asked,
    Prompt prompt,
    ZeroShotPolicy policy,
    List<Track> tracks,
    Optional<Projection> projection,
    Optional<double[]> target,
    List<double[]> ghost,
    boolean drawn,
    Optional<String> warning,
    boolean constant) {

  static Pursuit of(Asked asked, Prompt prompt, ZeroShotPolicy policy, List<Track> tracks) {
    return new Pursuit(
        asked,
        prompt,
        policy,
        List.copyOf(tracks),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        false,
        Optional.empty(),
        false);
  }

  Pursuit withProjection(Optional<Projection> projected) {
    return new Pursuit(
        asked, prompt, policy, tracks, projected, target, ghost, drawn, warning, constant);
  }

  Pursuit withTarget(double[] goal) {
    return new Pursuit(
        asked,
        prompt,
        policy,
        tracks,
        projection,
        Optional.of(goal),
        ghost,
        drawn,
        warning,
        constant);
  }

  Pursuit withGhost(List<double[]> states) {
    return new Pursuit(
        asked, prompt, policy, tracks, projection, target, states, drawn, warning, constant);
  }

  Pursuit asDrawn() {
    return new Pursuit(
        asked, prompt, policy, tracks, projection, target, ghost, true, warning, constant);
  }

  Pursuit asConstant() {
    return new Pursuit(
        asked, prompt, policy, tracks, projection, target, ghost, drawn, warning, true);
  }

  Pursuit withWarning(Optional<String> words) {
    return new Pursuit(
        asked, prompt, policy, tracks, projection, target, ghost, drawn, words, constant);
  }

  Task task() {
    return prompt.task();
  }
}
