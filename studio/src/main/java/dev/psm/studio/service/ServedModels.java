package dev.psm.studio.service;

import dev.psm.core.UserError;
import dev.psm.studio.ModelShelf;
import dev.psm.studio.web.RequestError;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The models that are served, by their names. */
final class ServedModels implements AutoCloseable {
  private final ModelShelf shelf = new ModelShelf();
  private final Map<String, ServedModel> models = new LinkedHashMap<>();

  /** Looks at their descriptions alone, so that a wrong folder is refused at once. */
  ServedModels(List<Path> folders) {
    if (folders.isEmpty()) {
      throw UserError.invalid("give at least one model to serve");
    }
    for (Path folder : folders) {
      ModelShelf.Entry entry = shelf.add(folder);
      models.computeIfAbsent(entry.id(), id -> new ServedModel(entry));
    }
  }

  Collection<ServedModel> all() {
    return models.values();
  }

  ServedModel find(String id) {
    ServedModel model = models.get(id);
    if (model == null) {
      throw RequestError.notFound(
          "there is no model '%s'; there are %s", id, String.join(", ", models.keySet()));
    }
    return model;
  }

  boolean areReady() {
    return models.values().stream().allMatch(ServedModel::isReady);
  }

  @Override
  public void close() {
    shelf.close();
  }
}
