package dev.psm.agents.finite;

import dev.psm.agents.Model;
import dev.psm.agents.Trainer;
import dev.psm.core.UserError;
import dev.psm.core.io.DType;
import dev.psm.core.io.TensorData;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;

/** One trainer for each seed, all of them one step after the other. */
final class SideBySide implements Trainer {
  private static final String STEPS = "steps";

  private final Map<Long, FiniteTrainer> trainers = new LinkedHashMap<>();
  private final Function<FiniteModel, Model> copy;

  SideBySide(
      List<Long> seeds, LongFunction<FiniteTrainer> trainer, Function<FiniteModel, Model> copy) {
    if (seeds.isEmpty() || seeds.stream().distinct().count() < seeds.size()) {
      throw new IllegalArgumentException("seeds must be given and differ, found " + seeds);
    }
    this.copy = copy;
    try {
      seeds.forEach(seed -> trainers.put(seed, trainer.apply(seed)));
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  @Override
  public List<Long> seeds() {
    return List.copyOf(trainers.keySet());
  }

  @Override
  public void step() {
    trainers.values().forEach(FiniteTrainer::step);
  }

  @Override
  public long stepsDone() {
    return trainers.values().iterator().next().stepsDone();
  }

  @Override
  public Map<String, double[]> metrics() {
    Map<String, double[]> all = new LinkedHashMap<>();
    int index = 0;
    for (FiniteTrainer trainer : trainers.values()) {
      int own = index++;
      trainer
          .metrics()
          .forEach(
              (name, value) ->
                  all.computeIfAbsent(name, any -> new double[trainers.size()])[own] = value);
    }
    return all;
  }

  @Override
  public Map<String, TensorData> checkpoint(long seed) {
    Map<String, TensorData> tensors = new LinkedHashMap<>(trainers.get(seed).checkpoint());
    tensors.put(STEPS, TensorData.of(new long[] {stepsDone()}, 1));
    return tensors;
  }

  @Override
  public void restore(long seed, Map<String, TensorData> tensors, String fileName) {
    TensorData steps = tensors.get(STEPS);
    if (steps == null || steps.dtype() != DType.I64 || steps.elementCount() != 1) {
      throw UserError.invalid("%s: tensor '%s' must hold one whole number", fileName, STEPS);
    }
    trainers.get(seed).restore(steps.longs()[0], tensors, fileName);
  }

  /** Asks the networks first, which is quick; only then what the name is. */
  @Override
  public Optional<NotFinite> firstNotFinite() {
    return trainers.values().stream().allMatch(FiniteTrainer::isFinite)
        ? Optional.empty()
        : Trainer.super.firstNotFinite();
  }

  @Override
  public Model model(long seed) {
    return copy.apply(trainers.get(seed).model());
  }

  @Override
  public void close() {
    trainers.values().forEach(FiniteTrainer::close);
  }
}
