package dev.psm.mujoco;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The structures of one simulation on MuJoCo's side. They are apart from the simulation, and know
 * nothing of it, so that a cleaner can free them when it was dropped without being closed.
 */
final class EngineMemory implements Runnable {
  private static final int ERROR_SIZE = 1000;

  /** The address of the {@code mjModel}. */
  final long model;

  /** The same model once more, to be run with its actuators switched off. */
  final long passiveModel;

  /** The address of the {@code mjData}. */
  final long data;

  private EngineMemory(long model, long passiveModel, long data) {
    this.model = model;
    this.passiveModel = passiveModel;
    this.data = data;
  }

  /**
   * Compiles a model and makes a state for it.
   *
   * @param mjcf self-contained
   */
  static EngineMemory of(String name, String mjcf) {
    try {
      Path file = Files.createTempFile("psm-model-", ".xml");
      try {
        Files.writeString(file, mjcf);
        return of(name, file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw UserError.failed(
          e, "cannot write the %s model to a temporary file: %s", name, e.getMessage());
    }
  }

  /** Compiles a model from a file, beside which it finds what it includes, and makes a state. */
  static EngineMemory of(String name, Path file) {
    MujocoLibrary.load();
    return around(name, compile(name, file));
  }

  /** A copy of a compiled model, with a state of its own. */
  static EngineMemory copyOf(String name, long model) {
    return around(name, Mujoco.mj_copyModel(0, model));
  }

  private static EngineMemory around(String name, long model) {
    long passiveModel = model == 0 ? 0 : Mujoco.mj_copyModel(0, model);
    long data = model == 0 ? 0 : Mujoco.mj_makeData(model);
    EngineMemory memory = new EngineMemory(model, passiveModel, data);
    MujocoErrors.Complaint complaint = MujocoErrors.take();
    if (passiveModel == 0 || data == 0 || complaint != null) {
      memory.run();
      throw new MujocoException(
          "MuJoCo cannot make room for the model '%s': %s"
              .formatted(name, complaint == null ? "no reason given" : complaint.message()));
    }
    return memory;
  }

  private static long compile(String name, Path file) {
    byte[] error = new byte[ERROR_SIZE];
    long model;
    // MuJoCo's compiler keeps global state.
    synchronized (EngineMemory.class) {
      model = Mujoco.mj_loadXML(file.toString(), 0, error, ERROR_SIZE);
    }
    String message = text(error);
    MujocoErrors.Complaint complaint = MujocoErrors.take();
    if (message.isEmpty() && complaint != null) {
      message = complaint.message();
    }
    if (model == 0 || !message.isEmpty()) {
      Mujoco.mj_deleteModel(model);
      throw new MujocoException(
          "MuJoCo does not accept the model '%s': %s".formatted(name, message));
    }
    return model;
  }

  private static String text(byte[] error) {
    int end = 0;
    while (end < error.length && error[end] != 0) {
      end++;
    }
    return new String(error, 0, end, StandardCharsets.UTF_8).strip();
  }

  /** Whether {@code bytes} from {@code address} on lie in the {@code size} bytes of a block. */
  static boolean holds(long block, long size, long address, long bytes) {
    return address >= block && bytes >= 0 && bytes <= block + size - address;
  }

  /** Frees everything; MuJoCo takes an address of 0 as nothing to free. */
  @Override
  public void run() {
    Mujoco.mj_deleteData(data);
    Mujoco.mj_deleteModel(passiveModel);
    Mujoco.mj_deleteModel(model);
  }
}
