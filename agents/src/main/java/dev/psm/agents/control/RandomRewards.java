package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.training.Draw;
import dev.psm.torch.Tensors;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Rewards as people write them, drawn at random: one observed number above or below a threshold, or
 * two of them at once. Directions drawn uniformly in many dimensions are nearly orthogonal to every
 * such reward, so that an actor which pursues them alone seldom practises what it will be asked
 * for.
 *
 * <p>A factor is clamp(½ ± (x − t) / (2wσ), 0, 1): x a coordinate of the observation, t what it is
 * in a random state of the batch, σ its standard deviation there, and w, log-uniform, how gradual
 * the threshold is.
 */
final class RandomRewards {
  /** The sharpest and the most gradual threshold, in standard deviations. */
  static final double MIN_WIDTH = 0.1;

  static final double MAX_WIDTH = 2;

  /** Of the rewards with two factors. */
  static final double TWO_FACTORS = 0.5;

  private static final int NUMBERS_OF_FACTOR = 3;

  private RandomRewards() {}

  /**
   * What every state of the batch pays: seeds × rewards × rows.
   *
   * @param observations seeds × rows × observation
   * @param numbers {@link Draw#REWARDS}: seeds × rewards × 7
   */
  static Tensor of(Tensor observations, Tensor numbers) {
    Tensor columns = observations.transpose(1, 2).contiguous();
    Tensor single = numbers.select(2, Draw.REWARD_NUMBERS - 1).ge(scalar(TWO_FACTORS));
    return factor(columns, numbers, 0)
        .mul_(
            factor(columns, numbers, NUMBERS_OF_FACTOR)
                .masked_fill_(single.unsqueeze(-1), scalar(1)));
  }

  /**
   * @param columns seeds × observation × rows
   */
  private static Tensor factor(Tensor columns, Tensor numbers, int first) {
    long rows = columns.size(2);
    Tensor column = whole(numbers.select(2, first), columns.size(1));
    Tensor values = columns.gather(1, spread(column, rows));
    Tensor threshold = values.gather(2, whole(numbers.select(2, first + 1), rows).unsqueeze(-1));
    // One number is the sign and, stretched, the width.
    Tensor signed = numbers.select(2, first + 2).mul(scalar(2));
    Tensor width = signed.frac().mul_(scalar(Math.log(MAX_WIDTH / MIN_WIDTH))).exp_();
    Tensor sign = signed.floor().mul_(scalar(2)).sub_(scalar(1));
    Tensor deviation = columns.std(new long[] {2}, false, false).gather(1, column);
    Tensor slope =
        sign.div(width.mul_(deviation).mul_(scalar(2 * MIN_WIDTH)).clamp_min_(scalar(1e-12)));
    return values
        .sub_(threshold)
        .mul_(slope.unsqueeze(-1))
        .add_(scalar(0.5))
        .clamp_min_(scalar(0))
        .clamp_max_(scalar(1));
  }

  /** Whole numbers from 0 on, below a bound. */
  private static Tensor whole(Tensor uniform, long bound) {
    return uniform
        .mul(scalar((double) bound))
        .to(torch.ScalarType.Long)
        .clamp_max_(Tensors.whole(bound - 1));
  }

  private static Tensor spread(Tensor column, long rows) {
    return column.unsqueeze(-1).expand(column.size(0), column.size(1), rows);
  }

  /**
   * E[(r − E[r]) φ] over the batch, for each reward: seeds × rewards × d.
   *
   * @param phi seeds × rows × d
   */
  static Tensor timesFeatures(Tensor observations, Tensor phi, Tensor numbers) {
    Tensor rewards = of(observations, numbers);
    Tensor centred = rewards.sub_(rewards.mean(-1).unsqueeze(-1));
    return centred.matmul(phi).div_(scalar((double) phi.size(1)));
  }
}
