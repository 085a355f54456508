package dev.psm.core.env;

import dev.psm.core.reward.Readings;
import java.util.function.Predicate;

/** A part of a world that data may favour, such as a room: its share of the data is reported. */
public record Region(String name, Predicate<Readings> contains) {}
