package dev.psm.studio.service;

import dev.psm.studio.web.RequestError;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Policies that were solved, by ids that follow from their prompts: an equal prompt finds its
 * policy, also while that is being solved. The policy that was not asked for longest is dropped
 * when there are too many, and its id is remembered a while, so that whoever still acts by it can
 * be told what happened.
 */
final class PolicyCache {
  /** Of all policies together: most have one small task, a demonstration one for every step. */
  static final long MAX_BYTES = 256L << 20;

  private static final int REMEMBERED = 16;
  private static final int MAX_SHOWN = 64;

  private final int capacity;
  private final Map<String, CompletableFuture<ServedPolicy>> policies =
      new LinkedHashMap<>(16, 0.75f, true);
  private final Set<String> dropped = new LinkedHashSet<>();
  private int solved;
  private long bytes;
  private long droppedCount;

  PolicyCache(int capacity) {
    this.capacity = capacity;
  }

  /**
   * A policy that may still be being solved.
   *
   * @param isNew whether nobody had asked for it
   */
  record Found(CompletableFuture<ServedPolicy> policy, boolean isNew) {}

  /** The policy of an id, solved unless it is there; one whose solving fails is forgotten. */
  Found solved(String id, Supplier<CompletableFuture<ServedPolicy>> solving) {
    CompletableFuture<ServedPolicy> policy;
    synchronized (this) {
      CompletableFuture<ServedPolicy> known = policies.get(id);
      if (known != null) {
        return new Found(known, false);
      }
      policy = solving.get();
      dropped.remove(id);
      policies.put(id, policy);
    }
    // Outside of the lock, which it takes: it may be solved already.
    return new Found(policy.whenComplete((made, failure) -> settle(id, made)), true);
  }

  private synchronized void settle(String id, ServedPolicy policy) {
    if (policy == null) {
      policies.remove(id);
      return;
    }
    solved++;
    bytes += policy.bytes();
    Iterator<Map.Entry<String, CompletableFuture<ServedPolicy>>> oldest =
        policies.entrySet().iterator();
    while ((solved > capacity || bytes > MAX_BYTES) && oldest.hasNext()) {
      Map.Entry<String, CompletableFuture<ServedPolicy>> entry = oldest.next();
      ServedPolicy old = entry.getValue().getNow(null);
      if (old != null && !entry.getKey().equals(id)) {
        oldest.remove();
        solved--;
        bytes -= old.bytes();
        remember(entry.getKey());
      }
    }
  }

  private void remember(String id) {
    droppedCount++;
    dropped.add(id);
    if (dropped.size() > REMEMBERED * capacity) {
      Iterator<String> first = dropped.iterator();
      first.next();
      first.remove();
    }
  }

  /** A policy of a model. */
  ServedPolicy find(String id, ServedModel model) {
    CompletableFuture<ServedPolicy> known;
    synchronized (this) {
      if (dropped.contains(id)) {
        throw new RequestError(
            410,
            "policy '%s' was dropped to make room for others; solve its prompt again, which gives"
                + " the same id",
            id);
      }
      known = policies.get(id);
    }
    ServedPolicy policy = known == null ? null : known.getNow(null);
    if (policy == null || policy.model() != model) {
      throw RequestError.notFound(
          "model '%s' has no policy '%s'; solve gives one", model.id(), shown(id));
    }
    return policy;
  }

  /** What was asked for may be anything, of any length. */
  private static String shown(String id) {
    return id.length() <= MAX_SHOWN ? id : id.substring(0, MAX_SHOWN) + "…";
  }

  synchronized int size() {
    return policies.size();
  }

  synchronized long droppedCount() {
    return droppedCount;
  }
}
