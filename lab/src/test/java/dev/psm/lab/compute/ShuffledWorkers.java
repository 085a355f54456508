package dev.psm.lab.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Performs tasks in an order of its own, as many machines would. */
public final class ShuffledWorkers implements Workers {
  private final long seed;
  private final Runnable first;

  /**
   * @param first done before any of them
   */
  public ShuffledWorkers(long seed, Runnable first) {
    this.seed = seed;
    this.first = first;
  }

  @Override
  public boolean perform(
      Class<? extends Work> work,
      String label,
      List<ObjectNode> tasks,
      WorkContext context,
      Consumer<TaskResult> ended) {
    first.run();
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < tasks.size(); i++) {
      order.add(i);
    }
    Collections.shuffle(order, new Random(seed));
    for (int task : order) {
      TaskResult result =
          Attempt.perform(Attempt.work(work.getName()), task, tasks.get(task), context);
      if (!result.ended()) {
        return false;
      }
      ended.accept(result);
    }
    return true;
  }

  @Override
  public String describe() {
    return "many machines";
  }

  @Override
  public void close() {}
}
