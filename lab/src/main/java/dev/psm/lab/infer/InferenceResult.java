package dev.psm.lab.infer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import dev.psm.lab.Provenance;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What a pass found.
 *
 * @param model whose task vectors they are
 * @param data the dataset's fingerprint
 * @param states that rewards were read in
 * @param units of them that count as independent for the standard errors
 * @param pilotSeconds before the pass began
 * @param seconds in all
 */
public record InferenceResult(
    ModelIdentity model,
    String data,
    long states,
    long units,
    List<InferredTask> tasks,
    double pilotSeconds,
    double seconds) {
  static final String SAFETENSORS = ".safetensors";
  static final String METADATA = "infer";
  static final String VECTORS = "task_vector";

  private ObjectNode about() {
    ObjectNode about = Json.object();
    model.put(about);
    return about
        .put("psm", Provenance.version())
        .put("data", data)
        .put("states", states)
        .put("units", units);
  }

  public ObjectNode toJson() {
    ObjectNode document = about();
    ArrayNode list = document.putArray("tasks");
    tasks.forEach(task -> list.add(task.toJson()));
    return document;
  }

  /** Writes tensors where the name ends so, else JSON. */
  public void write(Path file) {
    if (file.toString().endsWith(SAFETENSORS)) {
      writeTensors(file);
    } else {
      Json.write(file, toJson());
    }
  }

  private void writeTensors(Path file) {
    int d = tasks.get(0).vector().length;
    float[] vectors = new float[tasks.size() * d];
    float[] errors = new float[vectors.length];
    ObjectNode about = about();
    ArrayNode list = about.putArray("tasks");
    for (int i = 0; i < tasks.size(); i++) {
      System.arraycopy(tasks.get(i).vector(), 0, vectors, i * d, d);
      System.arraycopy(tasks.get(i).standardErrors(), 0, errors, i * d, d);
      list.addObject().put("name", tasks.get(i).name()).put("formula", tasks.get(i).formula());
    }
    Safetensors.write(
        file,
        Map.of(
            VECTORS,
            TensorData.of(vectors, tasks.size(), d),
            "standard_error",
            TensorData.of(errors, tasks.size(), d),
            "direction_error",
            column(InferredTask::directionError),
            "mean_reward",
            column(InferredTask::meanReward),
            "offset",
            column(InferredTask::offset),
            "offset_error",
            column(InferredTask::offsetError),
            "scale",
            column(InferredTask::scale)),
        Map.of(METADATA, Json.line(about)));
  }

  private TensorData column(ToDoubleFunction<InferredTask> number) {
    return TensorData.of(tasks.stream().mapToDouble(number).toArray(), tasks.size());
  }
}
