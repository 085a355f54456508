package dev.psm.agents.discrete;

import dev.psm.torch.Gradients;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import dev.psm.torch.TrainedNetwork;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Policies that the codebook lacks. Its own are as random as the table that they are drawn from;
 * here each code has a state of the data as its goal, the policy that is greedy for the code's own
 * measure of that goal, and coordinates of its own. Evaluating such a policy while it is greedy for
 * what is learned is policy iteration, so the codes become ways to places all over the data. No
 * task plays a part: it is the prior that Forward-Backward has for half of its batch.
 */
final class EnrichedCodes extends TrainedNetwork {
  static final String NAME = "enriched";
  static final String COORDINATES = NAME + ".coordinates";
  static final String GOALS = NAME + ".goals";

  private final Tensor goals;

  /**
   * @param weights {@link #COORDINATES}: seeds × codes × d
   * @param goals codes of entered states, as goals: seeds × codes × entered
   */
  EnrichedCodes(Parameters weights, Tensor goals, double targetRate) {
    super(NAME, weights, targetRate);
    this.goals = goals;
  }

  Tensor goals() {
    return goals;
  }

  /** w of codes by their number, seeds × rows: seeds × rows × d. */
  Tensor of(Tensor codes) {
    return of(weights(), codes);
  }

  /** w̄. */
  Tensor ofTarget(Tensor codes) {
    return of(target(), codes);
  }

  private static Tensor of(Parameters weights, Tensor codes) {
    return gathered(Tensors.onSphere(weights.get(COORDINATES).detach()), codes);
  }

  /** Rows of a table by number: seeds × rows × width, of seeds × codes × width. */
  static Tensor gathered(Tensor table, Tensor codes) {
    return table.gather(1, codes.unsqueeze(-1).expand(codes.size(0), codes.size(1), table.size(2)));
  }

  /**
   * @param gradient by w of the rows, 0 where a row has another code: seeds × rows × d
   */
  void descend(Tensor codes, Tensor gradient, Tensor rate) {
    Tensor plain = weights().get(COORDINATES).detach();
    // A product adds in a fixed order; a GPU's scatter does not.
    Tensor numbers = torch.arange(Tensors.whole(plain.size(1)), codes.options()).view(1, -1, 1);
    Tensor isCode = codes.unsqueeze(1).eq(numbers).to(torch.ScalarType.Float);
    Tensor byCodes = torch.bmm(isCode, gradient);
    Gradients gradients = new Gradients();
    gradients.put(COORDINATES, Tensors.backFromSphere(plain, byCodes));
    descend(gradients, rate);
  }
}
