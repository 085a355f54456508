package dev.psm.agents.discrete;

import dev.psm.core.reward.CanonicalReward;

/**
 * The numbers of a task: whether coordinates w are meant, w, and for every support what it pays and
 * its code.
 *
 * @param basisDimension numbers of w
 * @param codeSize of an entered state
 * @param supports the most states that a task reads a reward in
 */
record SupportedTasks(int basisDimension, int codeSize, int supports) {
  /** Where w begins, behind whether it is meant. */
  private static final int COORDINATES = 1;

  int size() {
    return firstSupport() + supports * supportSize();
  }

  private int supportSize() {
    return 1 + codeSize;
  }

  private int firstSupport() {
    return COORDINATES + basisDimension;
  }

  /** Where what a support pays stands in a list of tasks; its code follows. */
  int support(int task, int support) {
    return task * size() + firstSupport() + support * supportSize();
  }

  /** A task that is paid in one state only. */
  float[] paidIn(float[] codes, int row) {
    float[] task = new float[size()];
    put(task, 0, 1, codes, row);
    return task;
  }

  /**
   * What rewards pay. Where more states pay than a task has room for, some are taken, at equal
   * distances of what is paid up to them: so each stands for as much, and sums stay as they are.
   *
   * @param codes of the states, one after the other
   */
  float[] paying(float[] codes, double[] rewards) {
    double[] paid = CanonicalReward.of(rewards).values();
    float[] task = new float[size()];
    double total = 0;
    int paying = 0;
    for (double reward : paid) {
      total += Math.abs(reward);
      paying += reward == 0 ? 0 : 1;
    }
    boolean all = paying <= supports;
    double each = total / supports;
    double reached = -each / 2;
    int next = 0;
    for (int i = 0; i < paid.length && next < supports; i++) {
      reached += all ? 0 : Math.abs(paid[i]);
      // A state that pays much is drawn several times: one support of that weight.
      long times = all ? 0 : Math.max(0, (long) Math.floor(reached / each) + 1);
      double weight = all ? paid[i] : Math.signum(paid[i]) * times * each;
      reached -= times * each;
      if (weight != 0) {
        put(task, next++, weight / paid.length, codes, i);
      }
    }
    return task;
  }

  private void put(float[] task, int support, double weight, float[] codes, int row) {
    int at = support(0, support);
    task[at] = (float) weight;
    System.arraycopy(codes, row * codeSize, task, at + 1, codeSize);
  }

  /** Means these coordinates, the numbers of one of a list. */
  void mean(float[] tasks, int task, float[] coordinates, int which) {
    tasks[task * size()] = 1;
    System.arraycopy(
        coordinates, which * basisDimension, tasks, task * size() + COORDINATES, basisDimension);
  }

  boolean isMeant(float[] tasks, int task) {
    return tasks[task * size()] > 0;
  }

  /** Copies a task's w to the numbers of one of a list. */
  void coordinates(float[] tasks, int task, float[] coordinates) {
    System.arraycopy(
        tasks, task * size() + COORDINATES, coordinates, task * basisDimension, basisDimension);
  }
}
