package dev.psm.agents.discrete;

import dev.psm.agents.training.Experience;
import dev.psm.agents.training.GradientTrainer;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.io.TensorData;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The declaration of Forward-Backward or Laplacian: they differ in their steps alone. */
final class BaselineDeclaration extends DiscreteAgent<DiscreteSettings, DiscreteModel.Shape> {
  private final String summary;
  private final DiscreteModel.Kind kind;
  private final Function<World, Map<String, DiscreteSettings>> presets;
  private final Maker maker;

  interface Maker {
    GradientTrainer make(DiscreteSettings settings, World world, Experience data, List<Long> seeds);
  }

  BaselineDeclaration(
      String id,
      String title,
      String summary,
      DiscreteModel.Kind kind,
      Function<World, Map<String, DiscreteSettings>> presets,
      Maker maker) {
    super(id, title, DiscreteSettings.class, DiscreteModel.Shape.class);
    this.summary = summary;
    this.kind = kind;
    this.presets = presets;
    this.maker = maker;
  }

  @Override
  public String summary() {
    return summary;
  }

  @Override
  public Map<String, DiscreteSettings> presets(World world) {
    return presets.apply(world);
  }

  @Override
  GradientTrainer train(DiscreteSettings settings, World world, Experience data, List<Long> seeds) {
    return maker.make(settings, world, data, seeds);
  }

  @Override
  public void check(Record shape) {
    DiscreteModel.Kind found = ((DiscreteModel.Shape) shape).kind();
    if (found != kind) {
      throw UserError.invalid(
          "expected the kind %s, that of every model of agent '%s', found %s; copy the folder again",
          kind, id(), found);
    }
  }

  @Override
  Map<String, long[]> tensorShapes(DiscreteModel.Shape shape, World world) {
    return DiscreteModel.tensorShapes(shape, world.observationSize(), actionCount(world));
  }

  @Override
  DiscreteModel load(
      DiscreteModel.Shape shape, World world, Map<String, TensorData> tensors, String fileName) {
    return new DiscreteModel(shape, world.observationSize(), actionCount(world), tensors, fileName);
  }
}
