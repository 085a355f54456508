package dev.psm.agents.control;

import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The published shape of ψ(s, z, a) and of the actor π(s, z): two embeddings of half the width,
 * each of which has seen the state, then a trunk over both.
 */
record Towers(ParallelMlp first, ParallelMlp second, ParallelMlp trunk) {

  /**
   * @param firstSize inputs of the first embedding
   * @param secondSize inputs of the second
   * @param members networks per seed
   */
  static Towers of(
      String name, int firstSize, int secondSize, int width, int outputs, int members) {
    // The published code starts ensembles with gain √2 and single networks with gain 1.
    double gain = members > 1 ? Math.sqrt(2) : 1;
    return new Towers(
        new ParallelMlp(
            name + ".first", new int[] {firstSize, width, width / 2}, true, true, members, gain),
        new ParallelMlp(
            name + ".second", new int[] {secondSize, width, width / 2}, true, true, members, gain),
        new ParallelMlp(
            name + ".trunk", new int[] {width, width, outputs}, false, false, members, gain));
  }

  Parameters initialise(List<? extends RandomGenerator> seeds) {
    Parameters parameters = new Parameters();
    first.initialise(parameters, seeds);
    second.initialise(parameters, seeds);
    trunk.initialise(parameters, seeds);
    return parameters;
  }

  /** One seed's, without values, to load some into. */
  Parameters blank() {
    Parameters parameters = new Parameters();
    first.blank(parameters, 1);
    second.blank(parameters, 1);
    trunk.blank(parameters, 1);
    return parameters;
  }

  /**
   * @param a seeds × rows × first inputs
   * @param b seeds × rows × second inputs
   * @return seeds × members × rows × outputs
   */
  Tensor forward(Parameters parameters, Tensor a, Tensor b) {
    Tensor embedded =
        torch.cat(
            new TensorVector(
                first.forward(parameters, perMember(a)), second.forward(parameters, perMember(b))),
            2);
    Tensor out = trunk.forward(parameters, embedded);
    return out.view(a.size(0), first.members(), a.size(1), out.size(2));
  }

  /**
   * The same for a gradient that only the first inputs lead to: all that the second ones do is then
   * a constant.
   */
  Tensor forwardForFirst(Parameters parameters, Tensor a, Tensor b) {
    Tensor constant;
    try (NoGradGuard noGradient = new NoGradGuard()) {
      constant = second.forward(parameters, perMember(b));
    }
    Tensor out = trunk.forward(parameters, first.forward(parameters, perMember(a)), constant);
    return out.view(a.size(0), first.members(), a.size(1), out.size(2));
  }

  /** Every member sees the same rows. */
  private Tensor perMember(Tensor x) {
    return perMember(x, first.members());
  }

  static Tensor perMember(Tensor x, int members) {
    if (members == 1) {
      return x;
    }
    return x.unsqueeze(1)
        .expand(x.size(0), members, x.size(1), x.size(2))
        .reshape(x.size(0) * members, x.size(1), x.size(2));
  }
}
