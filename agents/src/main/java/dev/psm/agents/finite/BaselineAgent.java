package dev.psm.agents.finite;

import dev.psm.core.env.World;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.torch.Device;
import java.util.Map;
import java.util.function.DoubleFunction;

/** A baseline, of which the parts are given. */
final class BaselineAgent extends FiniteAgent<BaselineSettings, BaselineModel.Shape> {
  private final String summary;
  private final DoubleFunction<Map<String, BaselineSettings>> presets;
  private final TrainerFactory trainer;
  private final ModelFactory model;

  @FunctionalInterface
  interface TrainerFactory {
    FiniteTrainer make(BaselineSettings settings, TransitionTable data, long seed);
  }

  @FunctionalInterface
  interface ModelFactory {
    FiniteModel make(BaselineModel.Shape shape, TransitionTable data, long seed);
  }

  /**
   * @param presets by the world's discount
   */
  BaselineAgent(
      String id,
      String title,
      String summary,
      DoubleFunction<Map<String, BaselineSettings>> presets,
      TrainerFactory trainer,
      ModelFactory model) {
    super(id, title, BaselineSettings.class, BaselineModel.Shape.class);
    this.summary = summary;
    this.presets = presets;
    this.trainer = trainer;
    this.model = model;
  }

  @Override
  public String summary() {
    return summary;
  }

  @Override
  public boolean trainsOnGpu() {
    return false;
  }

  @Override
  public Map<String, BaselineSettings> presets(World world) {
    return presets.apply(world.discount());
  }

  @Override
  protected FiniteTrainer train(
      BaselineSettings settings, TransitionTable data, long seed, Device device) {
    return trainer.make(settings, data, seed);
  }

  @Override
  protected double discount(BaselineModel.Shape shape) {
    return shape.discount();
  }

  @Override
  protected Map<String, long[]> tensorShapes(BaselineModel.Shape shape, TransitionTable data) {
    return BaselineModel.tensorShapes(shape, data);
  }

  @Override
  protected FiniteModel untrained(BaselineModel.Shape shape, TransitionTable data) {
    return model.make(shape, data, 0);
  }
}
