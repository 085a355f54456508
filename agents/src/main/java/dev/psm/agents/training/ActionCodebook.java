package dev.psm.agents.training;

import dev.psm.core.Seeds;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The paper's discrete codebook of policies (equation 8): a code and the name of a state, its row
 * in the data, choose one of a table of uniformly random actions, π_z(s) = T[(z + row(s)) mod
 * size].
 *
 * <p>The published code draws its table from [−2, 0) by a slip of precedence; this one is uniform
 * on [−1, 1), as was meant.
 */
public final class ActionCodebook implements AutoCloseable {
  public static final int CODE_BITS = 16;
  public static final int CODE_COUNT = RandomInputs.CODE_COUNT;

  /** The published size: the codes and 20,000 more. */
  public static final int TABLE_SIZE = CODE_COUNT + 20_000;

  private final int actionSize;
  private final Tensor table;
  private final Tensor offsets;
  private final Tensor powers;

  /** Of vectors in [−1, 1). */
  public ActionCodebook(List<Long> seeds, int actionSize, Device device) {
    this(seeds, actionSize, device, random -> 2 * random.nextFloat() - 1);
  }

  /** Of numbered actions. */
  public static ActionCodebook numbered(List<Long> seeds, int actionCount, Device device) {
    return new ActionCodebook(seeds, 1, device, random -> random.nextInt(actionCount));
  }

  private ActionCodebook(
      List<Long> seeds, int actionSize, Device device, ToDoubleFunction<RandomGenerator> drawn) {
    this.actionSize = actionSize;
    float[] actions = new float[Math.multiplyExact(seeds.size() * TABLE_SIZE, actionSize)];
    long[] starts = new long[seeds.size()];
    for (int seed = 0; seed < seeds.size(); seed++) {
      starts[seed] = (long) seed * TABLE_SIZE;
      RandomGenerator random = Seeds.generator(Seeds.mix(seeds.get(seed), 0, "codebook"));
      int start = seed * TABLE_SIZE * actionSize;
      for (int i = 0; i < TABLE_SIZE * actionSize; i++) {
        actions[start + i] = (float) drawn.applyAsDouble(random);
      }
    }
    long[] bits = new long[CODE_BITS];
    for (int bit = 0; bit < CODE_BITS; bit++) {
      bits[bit] = 1L << bit;
    }
    try (PointerScope scope = new PointerScope()) {
      long rows = (long) seeds.size() * TABLE_SIZE;
      this.table = device.place(Tensors.floats(actions, rows, actionSize)).retainReference();
      this.offsets = device.place(Tensors.longs(starts, seeds.size(), 1)).retainReference();
      this.powers = device.place(Tensors.longs(bits, CODE_BITS)).retainReference();
    }
  }

  /** Actions of all seeds, one after the other: seeds·size × actions. */
  public Tensor table() {
    return table;
  }

  /**
   * π_z(s) of every row.
   *
   * @param codes seeds × batch
   * @param rows where the states lie in the data: seeds × batch
   * @return seeds × batch × actions
   */
  public Tensor actions(Tensor codes, Tensor rows) {
    Tensor places = codes.add(rows).remainder(Tensors.whole(TABLE_SIZE)).add(offsets);
    return table.index_select(0, places.view(-1)).view(codes.size(0), codes.size(1), actionSize);
  }

  /** The codes' bits, least significant first, as 0 and 1: seeds × batch × 16. */
  public Tensor bits(Tensor codes) {
    return codes.unsqueeze(-1).bitwise_and(powers).ne(Tensors.whole(0)).to(torch.ScalarType.Float);
  }

  @Override
  public void close() {
    table.close();
    offsets.close();
    powers.close();
  }
}
