package dev.psm.agents.control;

import dev.psm.agents.DeclaredAgent;
import dev.psm.agents.Model;
import dev.psm.agents.Trainer;
import dev.psm.agents.TrainingData;
import dev.psm.agents.training.Experience;
import dev.psm.core.UserError;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import java.util.List;
import java.util.Map;

/** An agent by the type of its settings, so that the algorithms need no casts. */
abstract class TypedAgent<S extends Record & ControlAgentSettings> extends DeclaredAgent<S>
    implements ControlAgent {
  private final ControlModel.Kind modelKind;

  TypedAgent(String id, String title, Class<S> settingsType, ControlModel.Kind modelKind) {
    super(id, title, settingsType);
    this.modelKind = modelKind;
  }

  @Override
  public final String learnable() {
    return "data with vectors as actions";
  }

  @Override
  public final boolean learns(World world) {
    return world.actionSpace() instanceof Space.Box && !(world instanceof FiniteWorld);
  }

  @Override
  public final ControlModel.Kind modelKind() {
    return modelKind;
  }

  @Override
  public abstract Map<String, S> presets(World world);

  /** The trainer owns the copy of the data that it learns from. */
  @Override
  public final Trainer trainer(
      Record settings, TrainingData data, List<Long> seeds, Device device) {
    if (!(data instanceof TrainingData.Recorded recorded)) {
      throw new IllegalArgumentException(id() + " learns " + learnable());
    }
    Experience experience = new Experience(recorded.dataset(), device, common(settings).stride());
    try {
      return trainer(settings, experience, seeds).closing(experience);
    } catch (RuntimeException | Error e) {
      experience.close();
      throw e;
    }
  }

  @Override
  public final ControlTrainer trainer(Record settings, Experience data, List<Long> seeds) {
    return train(settingsType().cast(settings), data, seeds);
  }

  @Override
  public final Class<ControlModel.Shape> shapeType() {
    return ControlModel.Shape.class;
  }

  @Override
  public final void check(Record shape) {
    ControlModel.Kind kind = ((ControlModel.Shape) shape).kind();
    if (kind != modelKind) {
      throw UserError.invalid(
          "expected the kind %s, that of every model of agent '%s', found %s; copy the folder again",
          modelKind, id(), kind);
    }
  }

  @Override
  public final Model model(
      Record shape, World world, Map<String, TensorData> tensors, String fileName) {
    check(shape);
    return ControlModel.of(
        (ControlModel.Shape) shape, world.observationSize(), world.actionSize(), tensors, fileName);
  }

  @Override
  public final long multiplications(Record settings, int observationSize, int actionSize) {
    S typed = settingsType().cast(settings);
    return multiplications(
        typed, new StepWork(typed.common().sizes(), observationSize, actionSize));
  }

  abstract ControlTrainer train(S settings, Experience data, List<Long> seeds);

  abstract long multiplications(S settings, StepWork work);
}
