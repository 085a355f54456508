package dev.psm.core.env;

import dev.psm.core.reward.Quantity;
import java.util.List;

/**
 * A goal that each episode draws for itself, and when it counts as reached. It is part of the state
 * and of no observation: whoever plays asks for it after the reset.
 *
 * @param place what {@link World#achievedGoal} is to become, in its order
 * @param distance to the goal
 * @param within the distance at which it is reached
 */
public record EpisodeGoal(List<Quantity> place, Quantity distance, double within) {}
