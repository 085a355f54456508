package dev.psm.core.io.onnx;

/**
 * A value that flows through an {@link OnnxGraph}: batch × width, or 1 × width for a constant,
 * which then counts for every row.
 */
public record OnnxValue(String name, int width) {}
