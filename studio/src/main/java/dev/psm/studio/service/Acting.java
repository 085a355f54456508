package dev.psm.studio.service;

import java.util.function.Supplier;

/** Acting within all bounds: a place, a thread, a time. */
record Acting(Admission admission, InferenceThreads threads, ServiceLimits limits) {
  float[] act(Supplier<float[]> work) {
    try (Admission.Place place = admission.enter(Admission.Kind.ACT)) {
      return threads.call(work, limits.requestTime());
    }
  }
}
