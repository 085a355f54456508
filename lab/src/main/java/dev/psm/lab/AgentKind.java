package dev.psm.lab;

import dev.psm.agents.BaselineModel;
import dev.psm.agents.BaselineSettings;
import dev.psm.agents.FiniteModel;
import dev.psm.agents.FiniteTrainer;
import dev.psm.agents.affine.AffineModel;
import dev.psm.agents.affine.AffinePsm;
import dev.psm.agents.affine.AffinePsmSettings;
import dev.psm.agents.forwardbackward.ForwardBackward;
import dev.psm.agents.forwardbackward.ForwardBackwardModel;
import dev.psm.agents.laplacian.Laplacian;
import dev.psm.agents.laplacian.LaplacianModel;
import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.data.TransitionTable;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import dev.psm.torch.Parameters;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/** The agents that can be pretrained by name. */
public enum AgentKind {
  PSM("PSM", AffinePsmSettings.class) {
    @Override
    public Map<String, ? extends Record> presets() {
      return AffinePsmSettings.presets();
    }

    @Override
    public FiniteTrainer trainer(Record settings, TransitionTable data, long seed, Device device) {
      return new AffinePsm((AffinePsmSettings) settings, data, seed, device);
    }

    @Override
    Map<String, long[]> shapes(Record settings, TransitionTable data) {
      return AffineModel.shapes((AffinePsmSettings) settings, data);
    }

    @Override
    FiniteModel untrained(Record settings, TransitionTable data, long seed) {
      return new AffineModel((AffinePsmSettings) settings, data, seed);
    }
  },
  FB("FB", BaselineSettings.class) {
    @Override
    public Map<String, ? extends Record> presets() {
      return ForwardBackwardModel.presets();
    }

    @Override
    public FiniteTrainer trainer(Record settings, TransitionTable data, long seed, Device device) {
      requireTrainsOn(device);
      return new ForwardBackward((BaselineSettings) settings, data, seed);
    }

    @Override
    Map<String, long[]> shapes(Record settings, TransitionTable data) {
      return BaselineModel.shapes((BaselineSettings) settings, data);
    }

    @Override
    FiniteModel untrained(Record settings, TransitionTable data, long seed) {
      return new ForwardBackwardModel((BaselineSettings) settings, data, seed);
    }
  },
  LAPLACIAN("Laplacian", BaselineSettings.class) {
    @Override
    public Map<String, ? extends Record> presets() {
      return LaplacianModel.presets();
    }

    @Override
    public FiniteTrainer trainer(Record settings, TransitionTable data, long seed, Device device) {
      requireTrainsOn(device);
      return new Laplacian((BaselineSettings) settings, data, seed);
    }

    @Override
    Map<String, long[]> shapes(Record settings, TransitionTable data) {
      return BaselineModel.shapes((BaselineSettings) settings, data);
    }

    @Override
    FiniteModel untrained(Record settings, TransitionTable data, long seed) {
      return new LaplacianModel((BaselineSettings) settings, data, seed);
    }
  };

  private final String title;
  private final Class<? extends Record> settingsType;

  AgentKind(String title, Class<? extends Record> settingsType) {
    this.title = title;
    this.settingsType = settingsType;
  }

  /** As in the paper's tables. */
  public String title() {
    return title;
  }

  /** As a user types it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  public Class<? extends Record> settingsType() {
    return settingsType;
  }

  /** Complete settings by preset name, the default first. */
  public abstract Map<String, ? extends Record> presets();

  /** Complete settings by name; an unknown one is refused with the nearest known. */
  public Record preset(String name) {
    Record settings = presets().get(name);
    if (settings == null) {
      throw UserError.argument(
          "preset",
          "agent %s has no preset '%s'; %s",
          id(),
          name,
          Nearest.hint(name, presets().keySet()));
    }
    return settings;
  }

  /** The preset to use when none is named. */
  public String defaultPreset(int stateCount) {
    return this == PSM ? AffinePsmSettings.defaultPreset(stateCount) : "tabular";
  }

  public abstract FiniteTrainer trainer(
      Record settings, TransitionTable data, long seed, Device device);

  /** Whether a GPU can train it; all can be trained by the CPU. */
  public boolean trainsOnGpu() {
    return this == PSM;
  }

  final void requireTrainsOn(Device device) {
    if (device.isCuda() && !trainsOnGpu()) {
      throw UserError.invalid("agent %s learns grids on the CPU only", id());
    }
  }

  abstract FiniteModel untrained(Record settings, TransitionTable data, long seed);

  abstract Map<String, long[]> shapes(Record settings, TransitionTable data);

  /**
   * The model of a file, whose tensors are compared with the settings before anything of the
   * settings' sizes is allocated.
   */
  FiniteModel model(
      Record settings,
      TransitionTable data,
      long seed,
      Map<String, TensorData> tensors,
      String fileName) {
    Parameters.require(shapes(settings, data), tensors, fileName);
    FiniteModel model = untrained(settings, data, seed);
    model.load(tensors, fileName);
    return model;
  }

  public static double discount(Record settings) {
    return settings instanceof AffinePsmSettings psm
        ? psm.discount()
        : ((BaselineSettings) settings).discount();
  }

  public static AgentKind parse(String id) {
    return Arrays.stream(values())
        .filter(kind -> kind.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                UserError.invalid(
                    "no agent '%s'; %s",
                    id, Nearest.hint(id, Arrays.stream(values()).map(AgentKind::id).toList())));
  }
}
