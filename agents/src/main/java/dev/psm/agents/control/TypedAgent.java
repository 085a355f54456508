package dev.psm.agents.control;

import java.util.List;
import java.util.Map;

/** An agent by the type of its settings, so that the algorithms need no casts. */
abstract class TypedAgent<S extends Record & AgentSettings> implements Agent {
  private final String id;
  private final String title;
  private final Class<S> settingsType;
  private final ControlModel.Kind modelKind;

  TypedAgent(String id, String title, Class<S> settingsType, ControlModel.Kind modelKind) {
    this.id = id;
    this.title = title;
    this.settingsType = settingsType;
    this.modelKind = modelKind;
  }

  @Override
  public final String id() {
    return id;
  }

  @Override
  public final String title() {
    return title;
  }

  @Override
  public final Class<S> settingsType() {
    return settingsType;
  }

  @Override
  public final ControlModel.Kind modelKind() {
    return modelKind;
  }

  @Override
  public abstract Map<String, S> presets(String environment);

  @Override
  public final ControlTrainer trainer(Record settings, Experience data, List<Long> seeds) {
    return train(settingsType.cast(settings), data, seeds);
  }

  @Override
  public final long multiplications(Record settings, int observationSize, int actionSize) {
    S typed = settingsType.cast(settings);
    return multiplications(typed, new StepWork(typed.common(), observationSize, actionSize));
  }

  abstract ControlTrainer train(S settings, Experience data, List<Long> seeds);

  abstract long multiplications(S settings, StepWork work);

  @Override
  public final String toString() {
    return id;
  }
}
