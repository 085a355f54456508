package dev.psm.torch;

import dev.psm.core.UserError;
import dev.psm.torch.CudaKernels.Grid;
import java.util.HashMap;
import java.util.Map;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Layers for a GPU: products by its library, all between them in as few passes over memory as there
 * can be. Widths that the kernels are not made for go the plain way.
 */
final class CudaLayers implements Layers {
  /** As in the kernels' source. */
  private static final int CHUNK = 8;

  private static final int LARGEST_WIDTH = 2048;
  private static final int WARPS_PER_BLOCK = 4;

  private final PlainLayers plain = new PlainLayers();
  private final torch.ScalarType type;
  private final boolean bfloat16;
  private final Map<Integer, CudaKernels> kernels = new HashMap<>();

  CudaLayers(Precision precision) {
    this.bfloat16 = precision == Precision.BFLOAT16;
    this.type = bfloat16 ? torch.ScalarType.BFloat16 : torch.ScalarType.Float;
  }

  /** A width known in advance turns loops into straight code. */
  private CudaKernels kernels(Tensor x) {
    return kernels.computeIfAbsent(
        columns(x),
        columns ->
            new CudaKernels(
                CudaLayers.class,
                "layers.cu",
                "COLUMNS=" + columns,
                "BFLOAT16=" + (bfloat16 ? 1 : 0)));
  }

  private static boolean suits(long width) {
    return width % 128 == 0 && width <= LARGEST_WIDTH;
  }

  @Override
  public Tensor entering(Tensor x) {
    return bfloat16 ? x.to(type) : x;
  }

  @Override
  public Tensor leaving(Tensor x) {
    return bfloat16 ? x.to(torch.ScalarType.Float) : x;
  }

  @Override
  public Tensor room(Tensor like, long width) {
    return torch.empty(
        new long[] {like.size(0), like.size(1), width},
        like.options().dtype(new ScalarTypeOptional(type)),
        new MemoryFormatOptional());
  }

  /** The last layer's: its sums stay in single precision. */
  @Override
  public Tensor linear(Tensor x, Tensor weight, Tensor bias) {
    return bfloat16
        ? torch.bmm(x, weight, torch.ScalarType.Float).add_(bias)
        : plain.linear(x, weight, bias);
  }

  @Override
  public Tensor linearRelu(Tensor x, Tensor weight, Tensor bias, Tensor into) {
    Tensor y = into == null ? torch.bmm(x, weight) : torch.bmm_out(into, x, weight);
    if (!suits(y.size(2))) {
      return y.add_(bias).relu_();
    }
    kernels(y)
        .launch(
            "bias_relu",
            new Grid((rows(y) * (columns(y) / 4) + 255) / 256, networks(y)),
            new Grid(256, 1),
            y,
            bias,
            rows(y),
            y.stride(1));
    return y;
  }

  @Override
  public Normed linearNormTanh(
      Tensor x, Tensor weight, Tensor bias, Tensor gain, Tensor shift, boolean kept) {
    requireRounded(weight.size(2));
    return suits(weight.size(2))
        ? normTanh(torch.bmm(x, weight), bias, gain, shift, kept)
        : plain.linearNormTanh(x, weight, bias, gain, shift, kept);
  }

  @Override
  public Normed normTanh(Tensor raw, Tensor bias, Tensor gain, Tensor shift, boolean kept) {
    requireRounded(raw.size(2));
    if (!suits(raw.size(2))) {
      return plain.normTanh(raw, bias, gain, shift, kept);
    }
    int total = rows(raw) * networks(raw);
    Tensor output = kept ? torch.empty_like(raw) : raw;
    Tensor mean = kept ? floats(raw, total) : null;
    Tensor inverseDeviation = kept ? floats(raw, total) : null;
    kernels(raw)
        .launch(
            "norm_tanh",
            new Grid((total + WARPS_PER_BLOCK - 1) / WARPS_PER_BLOCK, 1),
            new Grid(32 * WARPS_PER_BLOCK, 1),
            raw,
            bias,
            gain,
            shift,
            output,
            mean,
            inverseDeviation,
            rows(raw),
            total);
    return new Normed(raw, mean, inverseDeviation, null, output);
  }

  /** Halves of the width follow, and must suit as well. */
  private void requireRounded(long width) {
    if (bfloat16 && (width % 256 != 0 || width > LARGEST_WIDTH)) {
      throw UserError.invalid(
          "bfloat16 is for networks whose widths are multiples of 256 up to %d, found %d; choose"
              + " tf32 or float32",
          LARGEST_WIDTH, width);
    }
  }

  @Override
  public Back relu(Tensor output, Tensor gradient, boolean wanted) {
    if (!suits(output.size(2))) {
      return plain.relu(output, gradient, wanted);
    }
    Tensor sums = wanted ? sums(output, 1) : null;
    kernels(output)
        .launch(
            "relu_back",
            new Grid(chunks(output), networks(output)),
            threads(output),
            gradient,
            gradient.stride(1),
            output,
            output.stride(1),
            sums,
            rows(output));
    return new Back(gradient, wanted ? totals(sums, 1).get(0) : null);
  }

  @Override
  public NormedBack normTanh(
      Normed normed, Tensor bias, Tensor gain, Tensor gradient, boolean wanted) {
    Tensor raw = normed.raw();
    if (!suits(raw.size(2))) {
      return plain.normTanh(normed, bias, gain, gradient, wanted);
    }
    Tensor before = torch.empty_like(raw);
    Tensor sums = wanted ? sums(raw, 3) : null;
    kernels(raw)
        .launch(
            "norm_tanh_back",
            new Grid(chunks(raw), networks(raw)),
            threads(raw),
            gradient,
            gradient.stride(1),
            normed.output(),
            raw,
            bias,
            gain,
            normed.mean(),
            normed.inverseDeviation(),
            before,
            sums,
            rows(raw));
    if (!wanted) {
      return new NormedBack(before, null, null, null);
    }
    Tensor totals = totals(sums, 3);
    return new NormedBack(before, totals.get(0), totals.get(1), totals.get(2));
  }

  @Override
  public Tensor biasGradient(Tensor gradient) {
    if (!suits(gradient.size(2))) {
      return plain.biasGradient(gradient);
    }
    Tensor rows = gradient.contiguous();
    Tensor sums = sums(rows, 1);
    kernels(rows)
        .launch(
            "row_sums",
            new Grid(chunks(rows), networks(rows)),
            threads(rows),
            rows,
            sums,
            rows(rows));
    return totals(sums, 1).get(0);
  }

  /** In one pass, rounding included. */
  @Override
  public Tensor joined(Tensor a, Tensor b, int members) {
    int seeds = networks(a);
    int left = columns(a);
    int right = b == null ? 0 : columns(b);
    Tensor joined =
        torch.empty(
            new long[] {(long) seeds * members, rows(a), left + right},
            a.options().dtype(new ScalarTypeOptional(type)),
            new MemoryFormatOptional());
    CudaRows.join(a, b, joined, bfloat16, members);
    return joined;
  }

  @Override
  public Tensor weightGradient(Tensor x, Tensor gradient) {
    return bfloat16
        ? torch.bmm(x.transpose(1, 2), gradient, torch.ScalarType.Float)
        : plain.weightGradient(x, gradient);
  }

  @Override
  public Tensor inputGradient(Tensor gradient, Tensor weight) {
    return plain.inputGradient(gradient, weight);
  }

  /** Sets × networks × chunks × columns. */
  private static Tensor sums(Tensor like, int sets) {
    return floats(like, sets, networks(like), chunks(like), columns(like));
  }

  /** Sets × networks × 1 × columns. */
  private Tensor totals(Tensor sums, int sets) {
    int networks = Math.toIntExact(sums.size(1));
    int columns = Math.toIntExact(sums.size(3));
    Tensor totals = floats(sums, sets, networks, 1, columns);
    kernels(totals.squeeze(2))
        .launch(
            "chunk_sums",
            new Grid(columns / 32, networks, sets),
            new Grid(32, 8),
            sums,
            totals,
            Math.toIntExact(sums.size(2)));
    return totals;
  }

  private static Tensor floats(Tensor like, long... shape) {
    return torch.empty(
        shape,
        like.options().dtype(new ScalarTypeOptional(torch.ScalarType.Float)),
        new MemoryFormatOptional());
  }

  private static Grid threads(Tensor x) {
    return new Grid(columns(x) / 4, 1);
  }

  private static int chunks(Tensor x) {
    return (rows(x) + CHUNK - 1) / CHUNK;
  }

  private static int networks(Tensor x) {
    return Math.toIntExact(x.size(0));
  }

  private static int rows(Tensor x) {
    return Math.toIntExact(x.size(1));
  }

  private static int columns(Tensor x) {
    return Math.toIntExact(x.size(2));
  }
}
