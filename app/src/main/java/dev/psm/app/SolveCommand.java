package dev.psm.app;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.reward.CanonicalReward;
import dev.psm.zeroshot.AgentFolder;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "solve",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Turn a reward into a policy with a pretrained model, without any more experience.",
      "",
      "A goal, a demonstration or samples are read from a file: .npy (one array, observations as rows), .npz (arrays"
          + " 'observation' and, for samples, 'reward'), or text (one observation a line, commas or blanks between its"
          + " numbers, # before remarks; for samples the reward is last).",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  ./psm solve runs/grid --goal 2,7",
      "  ./psm solve runs/walker --task walk --film walk.gif",
      "  ./psm solve runs/walker --reward \"upright * velocity_x\" --episodes 10",
      "  ./psm solve runs/walker --task run --onnx run.onnx",
      "  ./psm solve runs/maze --goal data/maze --row 1234",
      "  ./psm solve runs/fetch --goal 1.4,0.8,0.6 --film reach.gif",
      "  ./psm solve runs/maze --demo data/maze --episode 7 --window 20"
    })
final class SolveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private Output output;

  @Parameters(paramLabel = "DIR", description = "The folder that pretrain or export wrote.")
  private Path folder;

  @Option(
      names = "--reward",
      paramLabel = "FORMULA|FILE",
      description =
          "Any reward of a state: a formula such as \"exp(-distance(2, 7))\" (see reward list), or a task's name. On a"
              + " grid also a CSV drawn like the map with one number per cell, or JSON {\"reward\": [[…], …]}.")
  private String reward;

  @Option(
      names = "--goal",
      paramLabel = "GOAL",
      description =
          "A state to reach. On a grid ROW,COL, counted from 0; else an observation, or the numbers of it that goals"
              + " speak of, as X,Y,…; a file with one observation; or a dataset with --row.")
  private String goal;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Which of a run's models (default: the lowest seed's).")
  private Long seed;

  @Option(names = "--method", paramLabel = "NAME", description = Methods.HELP)
  private String method;

  @ArgGroup(validate = false, heading = "%nFor robots and other worlds:%n")
  private ControlSolving control = new ControlSolving();

  @Override
  public Integer call() {
    MatchedOptions given = new MatchedOptions(spec);
    if (goal != null && goal.isBlank()) {
      throw UserError.argument("goal", "expected a state to reach, found an empty text");
    }
    AgentFolder models = AgentFolder.open(folder);
    if (!(models.world() instanceof FiniteWorld world)) {
      control.run(models, seed, goal, reward, method, given, output);
      return 0;
    }
    given.refuse(
        "is for continuous control; %s holds a model of %s, whose states are known"
            .formatted(folder, world.name()),
        ControlSolving.class);
    if ((goal == null) == (reward == null)) {
      throw UserError.invalid("give one reward: --goal ROW,COL or --reward FORMULA|FILE");
    }
    try (ZeroShotAgent agent =
        ZeroShotAgent.read(seed == null ? models.agent() : models.agent(seed))) {
      FiniteSolving.run(agent, goal, reward, method, output);
    }
    return 0;
  }

  /** Of a reward that gives nothing to pursue; whoever asked for it may have meant another. */
  static void warnOfConstant(double[] rewards, Output output) {
    if (rewards.length > 0 && CanonicalReward.of(rewards).isConstant()) {
      output.note(
          "the reward is %s everywhere in the %s it was read in, so no behaviour is better than another"
              .formatted(rewards[0] + 0.0, Wording.count(rewards.length, "state")));
    }
  }
}
