package dev.psm.lab.infer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Model;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.World;
import dev.psm.core.io.JsonField;
import dev.psm.core.reward.Quantity;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.pass.EpisodeRange;
import dev.psm.lab.pass.PassWork;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Adds up the sums of a part of the data: the work of a pass. */
public final class InferenceWork extends PassWork {
  static final String FOLDER = "folder";
  static final String MODEL = "model";
  static final String REWARDS = "rewards";
  static final String PLAN = "plan";
  static final String BINS = "bins";
  static final String MEMORY = "memory";

  @Override
  protected Optional<ObjectNode> performPart(ObjectNode task, WorkContext context) {
    EpisodeRange range = EpisodeRange.of(task);
    String folder = task.path(FOLDER).asText();
    try (ZeroShotAgent agent = ZeroShotAgent.read(Path.of(folder));
        Dataset dataset = EpisodeRange.open(task)) {
      ModelIdentity.of(JsonField.of("a task", task).get(MODEL)).require(agent, folder);
      World world = agent.environment();
      Model model = agent.model();
      RewardList rewards = RewardList.read(task.path(REWARDS), world);
      List<Quantity> wanted = rewards.quantities(world);
      Plan plan = Plan.of((ObjectNode) task.path(PLAN));
      dataset.requireIntact(range.firstRow(dataset), range.endRow(dataset));
      RewardSums sums =
          RewardSums.zero(
              rewards.size(),
              plan.featureDimension(),
              plan.isLeastSquares(),
              task.path(BINS).asInt());
      try (UnitSummation summation = new UnitSummation(rewards, plan, sums)) {
        boolean all =
            Units.visit(
                dataset,
                range,
                units -> {
                  add(units, dataset, world, model, wanted, summation);
                  return !context.stop().getAsBoolean();
                });
        return all ? Optional.of(sums.toJson()) : Optional.empty();
      }
    }
  }

  private static void add(
      List<long[]> units,
      Dataset dataset,
      World world,
      Model model,
      List<Quantity> wanted,
      UnitSummation summation) {
    long[] rows = units.stream().flatMapToLong(Arrays::stream).toArray();
    States states = States.read(dataset, world, wanted, rows, 1);
    int width = world.observationSize();
    int from = 0;
    for (long[] unit : units) {
      int to = from + unit.length;
      float[] observations = Arrays.copyOfRange(states.observations(), from * width, to * width);
      summation.add(states, from, to, model.features(observations));
      from = to;
    }
  }

  @Override
  public long memoryBytes(ObjectNode task) {
    return task.path(MEMORY).asLong();
  }
}
