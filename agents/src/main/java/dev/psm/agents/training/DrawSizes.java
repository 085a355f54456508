package dev.psm.agents.training;

/**
 * How much a step draws of everything.
 *
 * @param batch rows of a step
 * @param columns states that rows are held against, where they are drawn on their own
 * @param featureDimension numbers in a task vector
 * @param actionSize numbers in an action
 * @param goalShare of rows for which {@link Draw#MIXED} is 1
 * @param window transitions that follow each row of {@link Draw#WINDOWS}
 */
public record DrawSizes(
    int batch, int columns, int featureDimension, int actionSize, double goalShare, int window) {}
