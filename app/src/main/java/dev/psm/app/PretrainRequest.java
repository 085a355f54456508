package dev.psm.app;

import java.nio.file.Path;
import java.util.List;

/**
 * What {@code pretrain} is asked for, on a grid and on data alike; null where the user said
 * nothing.
 */
record PretrainRequest(
    String agent,
    String preset,
    Long seed,
    Path out,
    boolean replace,
    boolean onlySettings,
    List<String> overrides) {}
