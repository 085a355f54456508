package dev.psm.core.env;

/**
 * Two telling quantities of a world, each with the range that counts: where the coverage of data is
 * measured and drawn.
 */
public record Plane(String x, double xLow, double xHigh, String y, double yLow, double yHigh) {}
