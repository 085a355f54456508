package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.LazyMetrics;
import dev.psm.agents.training.StepInputs;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * A policy for every task vector z, in features that an agent learns in its own way: ψ of the
 * actor's own policies, and the actor that climbs ψᵀz.
 */
final class PolicyLearner {
  private final ControlSettings settings;
  private final Device device;
  private final StepMath math;
  private final Networks.Successor successor;
  private final Networks.Actor actor;
  private final Tensor rate;

  /**
   * @param rate the learning rate of this step
   */
  PolicyLearner(
      ControlSettings settings,
      Device device,
      StepMath math,
      Networks.Successor successor,
      Networks.Actor actor,
      Tensor rate) {
    this.settings = settings;
    this.device = device;
    this.math = math;
    this.successor = successor;
    this.actor = actor;
    this.rate = rate;
  }

  /** The random inputs of its part of a step, and what the agent's own part takes. */
  Set<Draw> inputsAnd(Draw... own) {
    Set<Draw> inputs =
        EnumSet.of(
            Draw.ROWS,
            Draw.TASK_NOISE,
            Draw.MIXED,
            Draw.PERMUTATION,
            Draw.NEXT_NOISE,
            Draw.ACTOR_NOISE);
    if (settings.rewardRows() > 0) {
      inputs.add(Draw.REWARDS);
    }
    Collections.addAll(inputs, own);
    return inputs;
  }

  /**
   * Task vectors on the √d sphere: of random rewards in the first rows, of states or in random
   * directions in the others.
   *
   * @param phi of the entered states, orthonormal: seeds × rows × d
   */
  Tensor tasks(Experience.Batch batch, Tensor phi, StepInputs inputs) {
    Tensor tasks = math.taskVectors(phi, inputs);
    return rewarded(tasks, batch, phi, inputs, Tensors::onSphere);
  }

  private Tensor rewarded(
      Tensor tasks,
      Experience.Batch batch,
      Tensor phi,
      StepInputs inputs,
      UnaryOperator<Tensor> toTasks) {
    int rows = settings.rewardRows();
    if (rows > 0) {
      Tensor numbers = inputs.get(Draw.REWARDS).narrow(1, 0, rows);
      Tensor mean = RandomRewards.timesFeatures(batch.nextObservations(), phi, numbers);
      Tensor first = tasks.narrow(1, 0, rows);
      // A reward that is the same in all states leaves its row as it is.
      first.copy_(
          torch.where(mean.abs().sum(-1).unsqueeze(-1).gt(scalar(0)), toTasks.apply(mean), first));
    }
    return tasks;
  }

  /** ψ̄ of the actor's noisy action in the entered state, and ψ of the transition itself. */
  Device.Pair<Tensor, Towers.Trace> measures(
      Experience.Batch batch, Tensor tasks, StepInputs inputs) {
    return device.both(
        () -> {
          Tensor next = batch.nextObservations();
          Tensor noise = inputs.get(Draw.NEXT_NOISE);
          return successor.ofTarget(next, noisy(actor.of(next, tasks), noise).noisy(), tasks);
        },
        () -> successor.pass(batch.observations(), batch.actions(), tasks));
  }

  private StepMath.Actions noisy(Tensor output, Tensor noise) {
    return math.noisyActions(output, noise, settings.noise(), settings.noiseClip());
  }

  /** γ of a transition times the data's own discount times the mean over members. */
  Tensor bootstrap(Tensor next, Experience.Batch batch) {
    return math.bootstrap(next, batch.discounts(), settings.transitionDiscount());
  }

  /** γ of a transition times the data's own discount: seeds × 1 × rows × 1, for all members. */
  Tensor discounts(Experience.Batch batch) {
    return batch.discounts().mul(scalar(settings.transitionDiscount())).unsqueeze(1);
  }

  /**
   * A step of policies in fixed features by the measure's loss, as in the second phase of PSM.
   *
   * @param phi of the entered states, orthonormal: seeds × rows × d
   */
  void learnInFixedBasis(
      Experience.Batch batch, Tensor phi, StepInputs inputs, LazyMetrics metrics) {
    Tensor tasks = tasks(batch, phi, inputs);
    Device.Pair<Tensor, Towers.Trace> measures = measures(batch, tasks, inputs);
    Tensor bootstrap = bootstrap(measures.first(), batch);
    Towers.Trace psi = measures.second();
    MeasureLoss.InFixedBasis loss =
        new MeasureLoss.InFixedBasis(psi.output(), bootstrap, phi, math);
    loss.log(metrics, "successor_loss");
    learnSuccessor(psi, loss.gradient());
    improveActor(batch, tasks, inputs, metrics);
  }

  /** The same by the loss of successor features, where the features are not orthonormal. */
  void learnSuccessorFeatures(
      Experience.Batch batch,
      Tensor phi,
      boolean alongTask,
      StepInputs inputs,
      LazyMetrics metrics) {
    Tensor goals = SuccessorFeatureLoss.goalVectors(phi);
    Tensor tasks =
        rewarded(
            math.taskVectors(goals, inputs),
            batch,
            phi,
            inputs,
            mean -> SuccessorFeatureLoss.goalVectors(phi, mean));
    Device.Pair<Tensor, Towers.Trace> measures = measures(batch, tasks, inputs);
    Tensor target = SuccessorFeatureLoss.target(phi, measures.first(), tasks, discounts(batch));
    Towers.Trace psi = measures.second();
    SuccessorFeatureLoss loss = new SuccessorFeatureLoss(psi.output(), target, tasks, alongTask);
    loss.log(metrics);
    learnSuccessor(psi, loss.gradient());
    improveActor(batch, tasks, inputs, metrics);
  }

  /** A step of ψ along a gradient by its output, and of the target that follows it. */
  void learnSuccessor(Towers.Trace psi, Tensor gradient) {
    successor.descend(psi, gradient, rate);
  }

  /**
   * The actor's step. Where noise took an action beyond its bounds, the gradient goes on to the
   * mean all the same: otherwise an actor at a bound would never leave it.
   */
  void improveActor(Experience.Batch batch, Tensor tasks, StepInputs inputs, LazyMetrics metrics) {
    Towers.Trace policy = actor.pass(batch.observations(), tasks);
    StepMath.Actions actions = noisy(policy.output().squeeze(1), inputs.get(Draw.ACTOR_NOISE));
    Towers.Trace psi = successor.pass(batch.observations(), actions.noisy(), tasks);
    Tensor byPsi = new ActorLoss(psi.output(), tasks, settings.pessimism(), math).byPsi(metrics);
    Tensor byActions = successor.byActions(psi, byPsi, (int) actions.mean().size(2));
    Tensor byOutput = torch.tanh_backward(byActions, actions.mean()).unsqueeze(1);
    double share = settings.actorLearningRate() / settings.learningRate();
    actor.descend(policy, byOutput, rate.mul(scalar(share)));
  }

  /**
   * What the actor descends on, −E[mean_p q_p − pessimism · disagreement] for q_p = ψ_pᵀz: it is
   * penalised where the ensemble disagrees.
   *
   * @param psi seeds × members × rows × d
   * @param tasks seeds × rows × d
   */
  record ActorLoss(Tensor psi, Tensor tasks, double pessimism, StepMath math) {

    /** ψᵀz of every member, and the gradient of the loss by ψ. */
    record Descent(Tensor values, Tensor byPsi) {}

    /** Its gradient by ψ, with the log line. */
    Tensor byPsi(LazyMetrics metrics) {
      Descent descent = math.actorDescent(psi, tasks, pessimism);
      metrics.add("actor_value", () -> value(descent.values, pessimism).mean(-1), descent.values);
      return descent.byPsi;
    }

    /**
     * mean − pessimism · Σ_{p,q}|x_p − x_q| / (P² − P) over members; for two, a pessimism of one
     * half is the smaller.
     *
     * @param values seeds × members × rows
     */
    static Tensor value(Tensor values, double pessimism) {
      double members = values.size(1);
      Tensor disagreement =
          values
              .unsqueeze(1)
              .sub(values.unsqueeze(2))
              .abs()
              .sum(1, 2)
              .div(scalar(members * members - members));
      return values.mean(1).sub(disagreement.mul(scalar(pessimism)));
    }

    /** The gradient of −E[{@link #value}] by the values. */
    static Tensor gradient(Tensor values, double pessimism) {
      double members = values.size(1);
      double rows = values.size(2);
      return values
          .unsqueeze(2)
          .sub(values.unsqueeze(1))
          .sign_()
          .sum(2)
          .mul_(scalar(2 * pessimism / (rows * (members * members - members))))
          .sub_(scalar(1 / (rows * members)));
    }
  }
}
