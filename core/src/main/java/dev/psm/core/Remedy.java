package dev.psm.core;

/**
 * What can be done about a {@link UserError}, beside what its message says in plain words: a
 * program that people use psm by adds how that is asked for there.
 */
public enum Remedy {
  /** To say that what is in the folder may be replaced. */
  REPLACE,
  /** To resume the run in the folder, or to say that it may be replaced. */
  RESUME_OR_REPLACE,
  /** To resume the run; its folder is the subject where it is known. */
  RESUME,
  /** To resume the run from an earlier step, the subject. */
  RESUME_FROM,
  /** To train a run again from its first step. */
  START_OVER,
  /** To pretrain, which makes such a folder. */
  PRETRAIN,
  /** To say where the data is. */
  LOCATE_DATA,
  /** To collect or import data, or to say where it is. */
  OBTAIN_DATA,
  /** To collect data, as the program does where nobody says otherwise, or to say where it is. */
  COLLECT_DATA,
  /** To check all of a dataset; its folder is the subject. */
  CHECK_DATA,
  /** To export the agent again, over what is there. */
  EXPORT_AGAIN,
  /** To export the actor as an ONNX graph that takes the task vector as an input. */
  EXPORT_ACTOR,
  /** To look at what rewards can be made of; the world's name is the subject where it is known. */
  LIST_REWARDS,
  /** To solve by generalised policy improvement. */
  POLICY_IMPROVEMENT,
  /** To compute on the CPU. */
  USE_CPU,
  /** To run with libtorch's build for CPUs. */
  USE_CPU_BUILD,
  /** To run with libtorch's build for GPUs. */
  USE_GPU_BUILD,
  /** To get the libraries of psm again. */
  FETCH_LIBRARIES
}
