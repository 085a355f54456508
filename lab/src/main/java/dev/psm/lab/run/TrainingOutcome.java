package dev.psm.lab.run;

import java.util.Map;

/**
 * How a run went.
 *
 * @param step the last one done
 * @param addedSteps by this process
 * @param finished whether nothing is left to do
 * @param trainingSeconds of the whole run
 * @param addedSeconds of training, by this process
 * @param checkpointSeconds by this process
 * @param evaluationSeconds by this process
 * @param grade what evaluations find out
 * @param grades by seed and name, of the last evaluation
 */
public record TrainingOutcome(
    long step,
    long addedSteps,
    boolean finished,
    double trainingSeconds,
    double addedSeconds,
    double checkpointSeconds,
    double evaluationSeconds,
    Grade grade,
    Map<Long, Map<String, Double>> grades) {}
