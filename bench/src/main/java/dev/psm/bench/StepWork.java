package dev.psm.bench;

import dev.psm.agents.control.ControlSettings;
import dev.psm.core.UserError;

/**
 * Multiplications and additions of one gradient step of one seed, those in products of matrices
 * alone: a product of m × k by k × n has 2·m·k·n. All else of a step is a small number of
 * operations per element.
 *
 * <p>Networks count forward; backward once by the weights and once by the inputs, the latter not
 * where nobody asks for it: the first layers' inputs are data. Losses count as d × d products. Task
 * vectors of goals, in double precision and on other units of a GPU, do not count.
 */
final class StepWork {
  private static final int MEMBERS = 2;
  private static final int CODE_BITS = 16;

  private final ControlSettings settings;
  private final int observation;
  private final int action;
  private final boolean unused;

  /**
   * @param unused whether to count, as a plain way back through ψ to the actor would take, the
   *     gradients that nobody uses there: by ψ's weights and by the tower of the task vector
   */
  private StepWork(ControlSettings settings, int observation, int action, boolean unused) {
    this.settings = settings;
    this.observation = observation;
    this.action = action;
    this.unused = unused;
  }

  /** What psm computes. */
  static double flops(TrainingSubject subject) {
    return flops(subject, false);
  }

  static double flops(TrainingSubject subject, boolean unused) {
    StepWork work =
        new StepWork(
            subject.common(),
            SyntheticWalker.COLUMNS.observation(),
            SyntheticWalker.COLUMNS.action(),
            unused);
    long perRow =
        switch (subject.agent()) {
          case "psm" ->
              switch (subject.phase()) {
                case "proto" -> work.proto();
                case "successor" -> work.policies();
                default -> work.proto() + work.policies();
              };
          case "fb" -> work.forwardBackward();
          case "laplacian" -> work.laplacian();
          case "hilp" -> work.hilp();
          default -> throw UserError.usage("the work of '%s' is not known", subject.agent());
        };
    return 2.0 * perRow * work.settings.batchSize();
  }

  private long proto() {
    Towers proto = successor(CODE_BITS);
    return proto.forward() + proto.learn() + features().forward() + features().learn() + measure();
  }

  private long policies() {
    // Φᵀφ, and the residuals of both members by it.
    long loss = (1 + MEMBERS) * square();
    return features().forward() + follow() + loss + actorStep();
  }

  private long forwardBackward() {
    return features().forward() + features().learn() + follow() + measure() + actorStep();
  }

  /** Both ends of transitions are learned from; φᵀφ, and φ by it. */
  private long laplacian() {
    return 2 * features().learn() + 2 * square() + features().forward() + follow() + actorStep();
  }

  /**
   * Targets of three states, then two to learn from; then the first member's features of the
   * entered state.
   */
  private long hilp() {
    long features = MEMBERS * (3 * features().forward() + 2 * features().learn());
    return features + features().forward() + follow() + actorStep();
  }

  /** The actor's next action, ψ̄ of it, and a step of ψ. */
  private long follow() {
    Towers psi = successor(settings.featureDimension());
    return actor().forward() + psi.forward() + psi.learn();
  }

  private long actorStep() {
    Towers psi = successor(settings.featureDimension());
    long back = unused ? psi.byWeights() + psi.byAllInputs() : psi.byFirstInputs();
    return actor().learn() + psi.forward() + back;
  }

  /** Gradients of a measure by ψ and φ: ten products of rows by d × d or of rows to d × d. */
  private long measure() {
    return (6 + 2 * MEMBERS) * square();
  }

  private long square() {
    return (long) settings.featureDimension() * settings.featureDimension();
  }

  private Mlp features() {
    int hidden = settings.featureWidth();
    return new Mlp(new long[] {observation, hidden, hidden, settings.featureDimension()});
  }

  private Towers successor(int condition) {
    return new Towers(
        observation + action,
        observation + condition,
        settings.width(),
        settings.featureDimension(),
        MEMBERS);
  }

  private Towers actor() {
    return new Towers(
        observation + settings.featureDimension(), observation, settings.width(), action, 1);
  }

  /** Products per row of a network. */
  private record Mlp(long[] sizes) {
    long forward() {
      long sum = 0;
      for (int layer = 0; layer + 1 < sizes.length; layer++) {
        sum += sizes[layer] * sizes[layer + 1];
      }
      return sum;
    }

    /** Back to the output of the first layer. */
    long byInputs() {
      return forward() - sizes[0] * sizes[1];
    }

    long learn() {
      return 2 * forward() + byInputs();
    }
  }

  /** Two embeddings and a trunk over both, per row and for all members. */
  private record Towers(long first, long second, long width, long outputs, long members) {
    private Mlp firstTower() {
      return new Mlp(new long[] {first, width, width / 2});
    }

    private Mlp secondTower() {
      return new Mlp(new long[] {second, width, width / 2});
    }

    private Mlp trunk() {
      return new Mlp(new long[] {width, width, outputs});
    }

    long forward() {
      return members * (firstTower().forward() + secondTower().forward() + trunk().forward());
    }

    long byWeights() {
      return forward();
    }

    long learn() {
      long byInputs = firstTower().byInputs() + secondTower().byInputs() + trunk().forward();
      return forward() + byWeights() + members * byInputs;
    }

    /** Through half of the trunk's inputs and one tower, to its inputs. */
    long byFirstInputs() {
      return members * (trunk().byInputs() + width * (width / 2) + firstTower().forward());
    }

    /** Through both towers, to the inputs of the one that has the action. */
    long byAllInputs() {
      return members * (trunk().forward() + firstTower().forward() + secondTower().byInputs());
    }
  }
}
