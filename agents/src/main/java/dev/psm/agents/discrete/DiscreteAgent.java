package dev.psm.agents.discrete;

import dev.psm.agents.AgentSettings;
import dev.psm.agents.DeclaredAgent;
import dev.psm.agents.Model;
import dev.psm.agents.Trainer;
import dev.psm.agents.TrainingData;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.GradientTrainer;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import dev.psm.torch.Parameters;
import java.util.List;
import java.util.Map;

/** An agent for numbered actions, by the types of its settings and of its models' shapes. */
abstract class DiscreteAgent<S extends Record & AgentSettings, H extends Record>
    extends DeclaredAgent<S> {
  private final Class<H> shapeType;

  DiscreteAgent(String id, String title, Class<S> settingsType, Class<H> shapeType) {
    super(id, title, settingsType);
    this.shapeType = shapeType;
  }

  @Override
  public final String learnable() {
    return "data with numbered actions";
  }

  @Override
  public final boolean learns(World world) {
    return world.actionSpace() instanceof Space.Discrete && !(world instanceof FiniteWorld);
  }

  @Override
  public final int goalSize(World world) {
    return world.achievedGoal().length;
  }

  static int actionCount(World world) {
    return ((Space.Discrete) world.actionSpace()).count();
  }

  @Override
  public final Class<H> shapeType() {
    return shapeType;
  }

  /** The trainer owns the copy of the data that it learns from. */
  @Override
  public final Trainer trainer(
      Record settings, TrainingData data, List<Long> seeds, Device device) {
    if (!(data instanceof TrainingData.Recorded recorded)) {
      throw new IllegalArgumentException(id() + " learns " + learnable());
    }
    World world = recorded.world();
    Experience experience = new Experience(recorded.dataset(), device, world.actionSpace());
    try {
      return train(settingsType().cast(settings), world, experience, seeds).closing(experience);
    } catch (RuntimeException | Error e) {
      experience.close();
      throw e;
    }
  }

  @Override
  public final Model model(
      Record shape, World world, Map<String, TensorData> tensors, String fileName) {
    H typed = shapeType.cast(shape);
    Parameters.require(tensorShapes(typed, world), tensors, fileName);
    return load(typed, world, tensors, fileName);
  }

  abstract GradientTrainer train(S settings, World world, Experience data, List<Long> seeds);

  /** The shapes of the tensors of a model that need not exist. */
  abstract Map<String, long[]> tensorShapes(H shape, World world);

  abstract Model load(H shape, World world, Map<String, TensorData> tensors, String fileName);
}
