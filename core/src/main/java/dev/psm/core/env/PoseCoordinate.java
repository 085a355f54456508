package dev.psm.core.env;

/**
 * A number of a stored state that a person may change to pose the body: a joint's angle, a height.
 *
 * @param index into {@link Environment#state}
 * @param low the least sensible value; a state with a lower one is no error
 * @param high the greatest sensible value
 * @param unit such as rad or m
 */
public record PoseCoordinate(String name, int index, double low, double high, String unit) {}
