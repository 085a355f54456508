package dev.psm.agents.discrete;

/** Which numbers of an observation goals speak of. */
@SuppressWarnings("ArrayRecordComponent")
record GoalNumbers(int[] places, int observationSize) {
  int size() {
    return places.length;
  }

  /** The goals that observations are instances of, one after the other. */
  float[] of(float[] observations) {
    float[] goals = new float[observations.length / observationSize * size()];
    for (int i = 0; i < goals.length; i++) {
      goals[i] = observations[place(i)];
    }
    return goals;
  }

  /** Goals where observations have them; the rest, which nobody looks at, is 0. */
  float[] asObservations(float[] goals) {
    float[] observations = new float[goals.length / size() * observationSize];
    for (int i = 0; i < goals.length; i++) {
      observations[place(i)] = goals[i];
    }
    return observations;
  }

  private int place(int i) {
    return i / size() * observationSize + places[i % size()];
  }
}
