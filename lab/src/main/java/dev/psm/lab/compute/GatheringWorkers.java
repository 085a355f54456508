package dev.psm.lab.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Perform nothing: they tell what became of tasks that a queue performed. */
public final class GatheringWorkers implements Workers {
  private final Submissions submissions;

  /**
   * @param out the folder for whose sake they were performed
   */
  public GatheringWorkers(Path out) {
    submissions = new Submissions(out);
  }

  private record Place(WorkList list, int index) {}

  @Override
  public boolean perform(
      Class<? extends Work> work,
      String label,
      List<ObjectNode> tasks,
      WorkContext context,
      Consumer<TaskResult> ended) {
    Work named = Attempt.work(work.getName());
    Map<String, Place> places = new HashMap<>();
    for (WorkList list : submissions.newestFirst()) {
      for (int i = 0; i < list.tasks().size(); i++) {
        places.putIfAbsent(named.name(list.tasks().get(i)), new Place(list, i));
      }
    }
    boolean all = true;
    for (int i = 0; i < tasks.size(); i++) {
      Optional<TaskResult> result =
          Optional.ofNullable(places.get(named.name(tasks.get(i))))
              .flatMap(place -> place.list.result(place.index));
      if (result.isPresent()) {
        ended.accept(new TaskResult(i, result.get().answer(), result.get().failure()));
      } else {
        all = false;
      }
    }
    return all;
  }

  @Override
  public String describe() {
    return "nobody: what is there is gathered";
  }

  @Override
  public void close() {}
}
