package dev.psm.lab.infer;

import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import dev.psm.core.reward.Task;
import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The files that {@link InferenceResult#write} makes, one of whose vectors is to be played. */
public final class VectorFile {
  private static final double LENGTH_TOLERANCE = 1e-3;

  private VectorFile() {}

  /**
   * Reads a vector.
   *
   * @param name of its task; null where the file has one only
   */
  public static Prompt.Vector read(Path file, String name, ZeroShotAgent agent) {
    boolean tensors = file.toString().endsWith(InferenceResult.SAFETENSORS);
    Safetensors.Contents contents = tensors ? Safetensors.read(file) : null;
    JsonField root = tensors ? about(file, contents) : JsonField.read(file);
    World world = agent.environment();
    requireSame(file, ModelIdentity.of(root), ModelIdentity.of(agent));
    List<JsonField> tasks = root.get("tasks").elements();
    List<String> names = new ArrayList<>();
    tasks.forEach(task -> names.add(task.get("name").text()));
    if (name == null && names.size() != 1) {
      throw UserError.argument(
          "task", "%s holds %d vectors; say which: %s", file, names.size(), listed(names));
    }
    int chosen = name == null ? 0 : names.indexOf(name);
    if (chosen < 0) {
      throw UserError.argument(
          "task", "%s has no vector of '%s'; %s", file, name, Nearest.hint(name, names));
    }
    if (names.lastIndexOf(names.get(chosen)) != chosen) {
      throw UserError.invalid(
          "%s holds several vectors of '%s'; infer writes one of each name",
          file, names.get(chosen));
    }
    JsonField task = tasks.get(chosen);
    float[] vector =
        tensors ? row(file, contents, chosen, names.size()) : task.get("taskVector").floats();
    requireLength(file, names.get(chosen), vector);
    return new Prompt.Vector(task(names.get(chosen), task, world), vector);
  }

  /** Agents know task vectors of length √d alone, and that of a constant reward, which is 0. */
  private static void requireLength(Path file, String name, float[] vector) {
    double sum = 0;
    for (float number : vector) {
      sum += (double) number * number;
    }
    double length = Math.sqrt(sum);
    double expected = Math.sqrt(vector.length);
    if (sum > 0 && !(Math.abs(length - expected) <= LENGTH_TOLERANCE * expected)) {
      throw UserError.invalid(
          "%s: the vector of '%s' must have the length √%d = %.4g, found %.4g; was the file changed?",
          file, name, vector.length, expected, length);
    }
  }

  private static void requireSame(Path file, ModelIdentity found, ModelIdentity wanted) {
    if (!found.tensors().equals(wanted.tensors())) {
      throw UserError.invalid(
          "%s holds task vectors of %s, and this model is %s: to one of another seed, of more"
              + " training or rounded by an export they mean something else; infer with this model",
          file, found.words(), wanted.words());
    }
  }

  private static Task task(String name, JsonField field, World world) {
    String formula = field.get("formula").textOrBlank();
    Task task = field.within(() -> world.taskOrFormula(formula.isEmpty() ? name : formula));
    return new Task(name, task.meaning(), task.formula(), task.reward());
  }

  private static String listed(List<String> names) {
    return String.join(", ", names.subList(0, Math.min(20, names.size())))
        + (names.size() > 20 ? ", …" : "");
  }

  private static JsonField about(Path file, Safetensors.Contents contents) {
    String text = contents.metadata().get(InferenceResult.METADATA);
    if (text == null) {
      throw UserError.invalid("%s holds no task vectors; infer writes such files", file);
    }
    return JsonField.of(file, Json.parse(text, file.toString()));
  }

  private static float[] row(Path file, Safetensors.Contents contents, int row, int rows) {
    TensorData tensor = contents.tensors().get(InferenceResult.VECTORS);
    if (tensor == null || tensor.shape().length != 2 || tensor.shape()[0] != rows) {
      throw UserError.invalid(
          "%s: tensor '%s' must have a row for each of %d tasks, found %s",
          file, InferenceResult.VECTORS, rows, tensor);
    }
    int d = Math.toIntExact(tensor.shape()[1]);
    float[] all = tensor.finiteFloats(InferenceResult.VECTORS, file.toString());
    return Arrays.copyOfRange(all, row * d, (row + 1) * d);
  }
}
