package dev.psm.lab.run;

import dev.psm.core.reward.Milestone;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * In how many episodes of a task a milestone was reached.
 *
 * @param reached in any state
 * @param atEnd in the last state
 * @param lately the share of the last {@link #LAST_STEPS} states in which it held, mean over
 *     episodes
 */
public record MilestoneCount(
    Milestone milestone, int episodes, int reached, int atEnd, double lately) {
  /** Or all there are, where an episode is shorter. */
  public static final int LAST_STEPS = 100;

  public static final String REACHED = "reached";
  public static final String AT_END = "at_end";
  public static final String LATELY = "last_" + LAST_STEPS + "_steps";

  /** The names of {@link #shares}. */
  public static final List<String> SHARES = List.of(REACHED, AT_END, LATELY);

  /** Of several seeds together. */
  public static MilestoneCount sum(Collection<MilestoneCount> seeds) {
    int episodes = seeds.stream().mapToInt(MilestoneCount::episodes).sum();
    return new MilestoneCount(
        seeds.iterator().next().milestone,
        episodes,
        seeds.stream().mapToInt(MilestoneCount::reached).sum(),
        seeds.stream().mapToInt(MilestoneCount::atEnd).sum(),
        seeds.stream().mapToDouble(each -> each.lately * each.episodes).sum() / episodes);
  }

  /** Shares, from 0 to 1. */
  public Map<String, Double> shares() {
    Map<String, Double> shares = new LinkedHashMap<>();
    shares.put(REACHED, (double) reached / episodes);
    shares.put(AT_END, (double) atEnd / episodes);
    shares.put(LATELY, lately);
    return shares;
  }
}
