package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.core.mdp.ExactSolver;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.MdpJson;
import dev.psm.core.mdp.Programme;
import dev.psm.core.mdp.Rewards;
import dev.psm.lab.RewardText;
import dev.psm.view.report.ToyFigure;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "exact",
    mixinStandardHelpOptions = true,
    description = {
      "The exact theory on a world whose states are few and known, or on an MDP in a file: the basis of all visitations,"
          + " and the linear programme that turns a reward into an optimal policy. Needs no native library.",
      "",
      "Examples:",
      "  ./psm exact --env gridworld --goal 2,7",
      "  ./psm exact --env machine --goal 5 --plugins machine.jar",
      "  ./psm exact --mdp mdp.json --reward reward.json",
      "  ./psm exact --figure toy.svg",
      ""
    })
final class ExactCommand implements Callable<Integer> {
  private static final int STATES_PRINTED = 60;

  @Mixin private MapOption map;
  @Spec private CommandSpec spec;
  @Mixin private Output output;

  @Option(names = "--mdp", paramLabel = "FILE", description = "An MDP as JSON.")
  private Path mdpFile;

  @Option(
      names = "--goal",
      paramLabel = "STATE",
      description =
          "Reward 1 for entering this state of the world: ROW,COL on a grid, else its name or number.")
  private String goal;

  @Option(
      names = "--reward",
      paramLabel = "FORMULA|FILE",
      description =
          "With --mdp: a reward as JSON. With a world: a formula (see reward list); on a grid also a CSV drawn like"
              + " the map, or JSON {\"reward\": [[…], …]}.")
  private String reward;

  @Option(
      names = "--discount",
      paramLabel = "γ",
      defaultValue = "0.98",
      description = "Discount in a world (default: ${DEFAULT-VALUE}); an MDP file has its own.")
  private double discount;

  @Option(
      names = "--programme",
      paramLabel = "w|d|auto",
      defaultValue = "auto",
      description =
          "Solve over coordinates w (the paper's equation 4) or over visitations d, sparsely"
              + " (default: ${DEFAULT-VALUE}).")
  private String programme;

  @Option(
      names = "--figure",
      paramLabel = "FILE.svg",
      description = "Draw the toy MDP and its simplex of visitations, as in the paper's Figure 2.")
  private Path figure;

  @Override
  public Integer call() {
    Destination.file("--figure", figure, ".svg");
    Programme chosen = Programme.parse(programme);
    FiniteWorld world = map.solvable().orElse(null);
    boolean onlyFigure =
        figure != null && world == null && mdpFile == null && goal == null && reward == null;
    if (onlyFigure) {
      draw();
      output.finish(Json.object().put("figure", figure.toString()));
      return 0;
    }
    if ((world == null) == (mdpFile == null)) {
      throw UserError.invalid("give one problem: --env NAME, --map FILE or --mdp FILE");
    }
    if ((goal == null) == (reward == null)) {
      throw UserError.invalid("give one reward: --goal STATE or --reward FORMULA|FILE");
    }
    if (goal != null && world == null) {
      throw UserError.invalid("--goal is for worlds; give an MDP its --reward FILE");
    }
    if (world == null) {
      new MatchedOptions(spec).refuse("is for worlds; an MDP file has its own", "--discount");
    }
    FiniteMdp mdp =
        world != null ? FiniteWorld.transitions(world, discount).mdp() : MdpJson.readMdp(mdpFile);
    int goalState = goal == null ? -1 : world.stateNamed(goal);
    double[] rewards =
        goalState >= 0
            ? Rewards.goal(mdp, goalState)
            : world != null
                ? Rewards.entering(mdp, RewardText.everywhere(reward, world))
                : MdpJson.readReward(Path.of(reward), mdp);
    ExactSolver.Solution solution = ExactSolver.solve(mdp, rewards, chosen);
    if (figure != null) {
      draw();
    }
    tell(mdp, world, goalState, solution);
    output.finish(json(mdp, solution));
    return 0;
  }

  private void draw() {
    AtomicFiles.writeText(figure, ToyFigure.svg());
    output.say("drew the toy MDP and its simplex into " + figure);
  }

  private void tell(
      FiniteMdp mdp, FiniteWorld world, int goalState, ExactSolver.Solution solution) {
    output.say(
        "%d states × %d actions, discount %s: the visitations form an affine set of dimension %d"
            .formatted(
                mdp.stateCount(), mdp.actionCount(), mdp.discount(), solution.basisDimension()));
    output.say(
        "optimum (1−γ)μᵀV* = %.12g, certain to %.1e, by the programme in %s (%s) in %.2f s; flow residual %.1e"
            .formatted(
                solution.optimum(),
                solution.optimumError(),
                solution.programme().name().toLowerCase(Locale.ROOT),
                solution.solver(),
                solution.seconds(),
                solution.flowResidual()));
    if (world != null) {
      output.say(world.draw(actions(solution), goalState).stripTrailing());
      return;
    }
    int shown = Math.min(mdp.stateCount(), STATES_PRINTED);
    for (int state = 0; state < shown; state++) {
      output.say(
          solution.visited()[state]
              ? "state %d: action %d".formatted(state, solution.policy().likeliest(state))
              : "state %d: never visited".formatted(state));
    }
    if (shown < mdp.stateCount()) {
      output.say("… and %d more; --json has all".formatted(mdp.stateCount() - shown));
    }
  }

  /** Of every state; −1 where it is never visited. */
  private static int[] actions(ExactSolver.Solution solution) {
    int[] actions = new int[solution.visited().length];
    Arrays.setAll(
        actions, state -> solution.visited()[state] ? solution.policy().likeliest(state) : -1);
    return actions;
  }

  private static ObjectNode json(FiniteMdp mdp, ExactSolver.Solution solution) {
    ObjectNode document = Json.object();
    document.put("states", mdp.stateCount());
    document.put("actions", mdp.actionCount());
    document.put("discount", mdp.discount());
    document.put("basisDimension", solution.basisDimension());
    document.put("programme", solution.programme().name().toLowerCase(Locale.ROOT));
    document.put("solver", solution.solver());
    document.put("optimum", solution.optimum());
    document.put("optimumError", solution.optimumError());
    document.put("flowResidual", solution.flowResidual());
    document.put("seconds", solution.seconds());
    ArrayNode policy = document.putArray("policy");
    Arrays.stream(actions(solution)).forEach(policy::add);
    ArrayNode visitation = document.putArray("visitation");
    for (double value : solution.visitation()) {
      visitation.add(value);
    }
    return document;
  }
}
