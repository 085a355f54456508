package dev.psm.agents.finite;

import dev.psm.agents.AgentSettings;
import dev.psm.agents.DeclaredAgent;
import dev.psm.agents.Trainer;
import dev.psm.agents.TrainingData;
import dev.psm.core.UserError;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.World;
import dev.psm.core.io.TensorData;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.torch.Device;
import dev.psm.torch.Parameters;
import java.util.List;
import java.util.Map;

/**
 * An agent of worlds whose states are few and known, by the types of its settings and of its
 * models' shapes, so that the algorithms need no casts.
 */
public abstract class FiniteAgent<S extends Record & AgentSettings, H extends Record>
    extends DeclaredAgent<S> {
  private final Class<H> shapeType;

  protected FiniteAgent(String id, String title, Class<S> settingsType, Class<H> shapeType) {
    super(id, title, settingsType);
    this.shapeType = shapeType;
  }

  @Override
  public final String learnable() {
    return "worlds whose states are few and known";
  }

  @Override
  public final boolean learns(World world) {
    return world instanceof FiniteWorld;
  }

  @Override
  public final Class<H> shapeType() {
    return shapeType;
  }

  @Override
  public final Trainer trainer(
      Record settings, TrainingData data, List<Long> seeds, Device device) {
    if (!(data instanceof TrainingData.Complete complete)) {
      throw new IllegalArgumentException(id() + " learns " + learnable());
    }
    if (device.isCuda() && !trainsOnGpu()) {
      throw UserError.invalid("agent %s learns %s on the CPU only", id(), complete.world().name());
    }
    S typed = settingsType().cast(settings);
    TransitionTable table = FiniteWorld.transitions(complete.world(), typed.discount());
    return new SideBySide(
        seeds,
        seed -> train(typed, table, seed, device),
        model -> model(shapeType.cast(model.shape()), table, model.tensors(), "the trainer"));
  }

  @Override
  public final FiniteModel model(
      Record shape, World world, Map<String, TensorData> tensors, String fileName) {
    H typed = shapeType.cast(shape);
    TransitionTable data = FiniteWorld.transitions((FiniteWorld) world, discount(typed));
    return model(typed, data, tensors, fileName);
  }

  private FiniteModel model(
      H shape, TransitionTable data, Map<String, TensorData> tensors, String fileName) {
    Parameters.require(tensorShapes(shape, data), tensors, fileName);
    FiniteModel model = untrained(shape, data);
    try {
      model.load(tensors, fileName);
      return model;
    } catch (RuntimeException e) {
      model.close();
      throw e;
    }
  }

  protected abstract FiniteTrainer train(
      S settings, TransitionTable data, long seed, Device device);

  protected abstract double discount(H shape);

  /** The shapes of the networks' or tables' tensors of a model that need not exist. */
  protected abstract Map<String, long[]> tensorShapes(H shape, TransitionTable data);

  /** A model to load tensors into. */
  protected abstract FiniteModel untrained(H shape, TransitionTable data);
}
