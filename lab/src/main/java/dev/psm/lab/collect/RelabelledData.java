package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.numpy.NpzWriter;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.pass.DataPass;
import dev.psm.lab.pass.EpisodeRange;
import dev.psm.lab.pass.Packed;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The rewards of every state of a dataset as a file: {@code reward}, one number per row, and {@code
 * episode_start}, each episode's first row. However many rows there are, the memory holds those of
 * a few parts.
 *
 * @param rows how many rewards there are
 * @param sum of all rewards
 */
public record RelabelledData(long rows, double sum) {

  /**
   * Computes the reward of every state.
   *
   * @param task a name or a formula
   * @param out an npz file
   * @return empty where somebody wanted it to stop before its end
   */
  public static Optional<RelabelledData> run(
      Dataset dataset, String task, Path out, Workers workers, WorkContext context) {
    long most = NpzWriter.mostFloats((long) Long.BYTES * dataset.episodes());
    if (dataset.rows() > most) {
      throw UserError.invalid(
          "%s has %,d rows, and an npz file has room for %,d rewards",
          dataset.folder(), dataset.rows(), most);
    }
    Path spool = null;
    try {
      spool = spool(out);
      Optional<RelabelledData> done = relabel(dataset, task, spool, workers, context);
      if (done.isPresent()) {
        long[] starts = new long[dataset.episodes()];
        for (int episode = 0; episode < starts.length; episode++) {
          starts[episode] = dataset.firstRow(episode);
        }
        NpzWriter.stored()
            .addFloats("reward", spool, done.get().rows)
            .add("episode_start", starts, starts.length)
            .write(out);
      }
      return done;
    } catch (UncheckedIOException e) {
      throw AtomicFiles.explain("write", out, e.getCause());
    } finally {
      delete(spool);
    }
  }

  private static Optional<RelabelledData> relabel(
      Dataset dataset, String task, Path spool, Workers workers, WorkContext context) {
    List<EpisodeRange> ranges = RelabelPart.cut(dataset);
    double[] sum = new double[1];
    double[] largest = new double[1];
    boolean all;
    try (OutputStream rewards = new BufferedOutputStream(Files.newOutputStream(spool))) {
      all =
          DataPass.run(
              RelabelWork.class,
              "relabel",
              RelabelPart.tasks(dataset, ranges, task),
              RelabelPart.rows(dataset, ranges),
              workers,
              context,
              answer -> {
                sum[0] += answer.path(RelabelWork.SUM).asDouble();
                largest[0] = Math.max(largest[0], answer.path(RelabelWork.LARGEST).asDouble());
                append(answer, rewards);
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (largest[0] > 0 && (float) largest[0] == 0) {
      throw UserError.invalid(
          "the largest reward is %s, which single precision rounds to 0; scale the formula up",
          largest[0]);
    }
    return all ? Optional.of(new RelabelledData(dataset.rows(), sum[0])) : Optional.empty();
  }

  private static void append(JsonNode answer, OutputStream out) {
    float[] rewards = Packed.floats(answer, RelabelWork.REWARDS);
    byte[] bytes = new byte[rewards.length * Float.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(rewards);
    try {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Beside the file, where there will be room for it; a device has no such place. */
  private static Path spool(Path out) {
    try {
      if (Files.exists(out) && !Files.isRegularFile(out)) {
        return Files.createTempFile("psm-rewards", ".tmp");
      }
      Path folder = out.toAbsolutePath().getParent();
      Files.createDirectories(folder);
      return Files.createTempFile(folder, "." + out.getFileName() + ".", ".tmp");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path spool) {
    try {
      if (spool != null) {
        Files.deleteIfExists(spool);
      }
    } catch (IOException ignored) {
      // A hidden file too many is no reason to hide what went wrong, or that nothing did.
    }
  }
}
