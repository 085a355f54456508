package dev.psm.lab.infer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.TaskRule;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.pass.DataPass;
import dev.psm.lab.pass.EpisodeRange;
import dev.psm.torch.ComputeThreads;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Task vectors of many rewards in one pass over a dataset of any size.
 *
 * <p>They are what {@link ZeroShotAgent#solveSamples} would say of all states that transitions led
 * to, if they fitted into memory. Matrices are multiplied on one thread everywhere, since how many
 * there are shows in the last bits.
 */
public final class Inference {
  private static final int MAX_PARTS = 64;

  /** A multiple of it, so that 2, 4 or 8 workers have as many of them each. */
  private static final int PARTS_TOGETHER = 8;

  /** Bins of all parts and rewards together: they have to be gathered. */
  private static final int MAX_BINS = 10_000_000;

  private static final int FEWEST_BINS = 128;
  private static final int MOST_BINS = 8192;

  /**
   * What of the data is looked at together; tests see much happen in little of it.
   *
   * @param rowsOfAPart where there are many: a worker reads the agent anew for each part
   */
  record Cut(int pilotStates, long rowsOfAPart) {
    static final Cut USUAL = new Cut(1 << 17, 1 << 16);

    List<EpisodeRange> parts(Dataset dataset) {
      long groups = dataset.rows() / rowsOfAPart / PARTS_TOGETHER + 1;
      int most = (int) Math.min(MAX_PARTS, groups * PARTS_TOGETHER);
      return EpisodeRange.cut(dataset, Math.max(1, rowsOfAPart / 4), most);
    }
  }

  /** Libraries, networks, and a block of states with everything measured in it. */
  private static final long MEMORY_OF_A_PART = 500_000_000;

  private Inference() {}

  /**
   * Solves rewards.
   *
   * @param folder the agent's own
   * @param tasks the rewards, each of another name
   * @return empty where somebody wanted it to stop before its end
   */
  public static Optional<InferenceResult> run(
      Path folder, Path data, List<Task> tasks, Workers workers, WorkContext context) {
    return run(folder, data, tasks, Cut.USUAL, workers, context);
  }

  static Optional<InferenceResult> run(
      Path folder, Path data, List<Task> tasks, Cut cut, Workers workers, WorkContext context) {
    long start = System.nanoTime();
    try (ZeroShotAgent agent = ZeroShotAgent.read(folder);
        Dataset dataset = Dataset.open(data)) {
      World world = agent.environment();
      TaskRule rule = requireRule(agent, folder);
      requireData(dataset, world);
      requireRewards(agent, tasks);
      noteOtherData(agent, dataset, context);
      RewardList rewards = new RewardList(tasks);
      ModelIdentity model = ModelIdentity.of(agent);
      Plan plan =
          Pilot.plan(dataset, cut.pilotStates(), agent, rule, rewards, workers.threadsHere());
      double pilotSeconds = (System.nanoTime() - start) / 1e9;
      List<EpisodeRange> ranges = cut.parts(dataset);
      ObjectNode planned = plan.toJson();
      ArrayNode texts = Json.object().putArray(InferenceWork.REWARDS);
      rewards.write(texts, world);
      int bins =
          Math.max(
              FEWEST_BINS,
              Math.min(MOST_BINS, MAX_BINS / ranges.size() / Math.max(1, rewards.size())));
      long memory =
          MEMORY_OF_A_PART + 3 * RewardSums.bytes(rewards.size(), plan.featureDimension(), bins);
      List<ObjectNode> parts =
          ranges.stream()
              .map(
                  range -> {
                    ObjectNode task = range.task(dataset);
                    task.put(InferenceWork.FOLDER, folder.toAbsolutePath().normalize().toString());
                    model.put(task.putObject(InferenceWork.MODEL));
                    task.put(InferenceWork.MEMORY, memory).put(InferenceWork.BINS, bins);
                    task.set(InferenceWork.REWARDS, texts);
                    task.set(InferenceWork.PLAN, planned);
                    return task;
                  })
              .toList();
      RewardSums sums =
          RewardSums.zero(rewards.size(), plan.featureDimension(), plan.isLeastSquares(), bins);
      boolean all =
          DataPass.run(
              InferenceWork.class,
              "infer",
              parts,
              ranges.stream().mapToLong(range -> range.rows(dataset)).toArray(),
              workers,
              context,
              answer -> sums.add(RewardSums.of(answer)));
      if (!all) {
        return Optional.empty();
      }
      List<InferredTask> inferred;
      try (ComputeThreads one = new ComputeThreads(1)) {
        inferred = Estimate.of(rewards, plan, sums, rule);
      }
      return Optional.of(
          new InferenceResult(
              model,
              dataset.fingerprint(),
              (long) sums.counts()[RewardSums.STATES],
              (long) sums.counts()[RewardSums.UNITS],
              inferred,
              pilotSeconds,
              (System.nanoTime() - start) / 1e9));
    }
  }

  private static TaskRule requireRule(ZeroShotAgent agent, Path folder) {
    if (agent.environment() instanceof FiniteWorld) {
      throw UserError.invalid(
          "%s is a model of %s, whose states are few and known: it reads a reward in all of them"
              + " anyway, so there is nothing that a dataset could add; solve it there",
          folder, agent.environment().name());
    }
    return agent
        .model()
        .taskRule()
        .orElseThrow(
            () ->
                UserError.invalid(
                    "%s is a model of %s, to which a task is a list of states with what they pay,"
                        + " not a vector that follows from averages over the data; solve it with its"
                        + " own sample",
                    folder, agent.title()));
  }

  private static void requireData(Dataset dataset, World world) {
    String environment = dataset.description().environment();
    if (!(environment.equals(world.reference()) || environment.equals(world.name()))
        || dataset.columns().observation() != world.observationSize()) {
      throw UserError.argument(
          "data",
          "%s holds data of %s with observations of %d numbers; the agent acts in %s, where they have"
              + " %d",
          dataset.folder(),
          environment,
          dataset.columns().observation(),
          world.name(),
          world.observationSize());
    }
    States.require(dataset, world);
  }

  /** Averages are over the data that is given, wherever the agent learned what it knows. */
  private static void noteOtherData(ZeroShotAgent agent, Dataset dataset, WorkContext context) {
    String learned = agent.description().path("data").path("fingerprint").asText();
    if (!learned.isEmpty() && !learned.equals(dataset.fingerprint())) {
      context
          .notes()
          .accept(
              "the agent learned from other data than %s: where that visits other states, or the same"
                      .formatted(dataset.folder())
                  + " ones in other shares, task vectors point elsewhere than those of the agent's"
                  + " own sample");
    }
  }

  private static void requireRewards(ZeroShotAgent agent, List<Task> tasks) {
    for (Task task : tasks) {
      if (agent.takesEpisodeGoals() && agent.environment().concernsEpisodeGoal(task)) {
        throw UserError.argument(
            "rewards",
            "'%s' speaks of the goal that each episode draws for itself, so the states of the data do"
                + " not tell what it pays",
            task.name());
      }
    }
  }
}
