package dev.psm.mujoco;

import com.sun.jna.Pointer;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * One model and its state in MuJoCo's memory, owned by this object.
 *
 * <p>A simulation belongs to the first thread that touches it, until that thread ends, calls {@link
 * #handOver} or closes it; any other thread is refused, because MuJoCo would corrupt its memory
 * instead. A closed simulation says so on every use.
 *
 * <p>A native call is given bare addresses, which keep nothing alive: where nothing else of this
 * object is needed after one, a fence does, or a simulation dropped by its user could be freed in
 * the middle of it.
 */
public final class Simulation implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  /** A kind of named thing in a model. */
  public enum Kind {
    BODY,
    JOINT,
    GEOM,
    SITE,
    ACTUATOR,
    SENSOR
  }

  private final String name;
  private final Layout layout;
  private final Cleaner.Cleanable cleanable;
  // The same model with its actuators switched off, for forwardPassive: the flag lies in the model.
  private final long passiveModel;
  private final long model;
  private final long data;
  private final ModelFacts facts;
  private final ByteBuffer header;
  private final int[] divergences;

  private volatile Thread owner;
  private boolean closed;
  private String broken;
  private boolean pushed;

  private final View qpos;
  private final View qvel;
  private final View act;
  private final View ctrl;
  private final View warmStart;
  private final View sensors;
  private final View mocapPosition;
  private final View mocapQuaternion;
  private final View bodyPositions;
  private final View bodyQuaternions;
  private final View bodyRotations;
  private final View bodyCentres;
  private final View appliedForces;
  private final View geomPositions;
  private final View geomRotations;
  private final View sitePositions;
  private final View siteRotations;
  private final View subtreeCentres;
  private final View subtreeVelocities;
  private final View subtreeAngularMomenta;
  private final int contactsAt;
  private final int timeAt;
  private final int siteKind;

  /**
   * Compiles a model.
   *
   * @param name what errors call it
   * @param mjcf the model in MuJoCo's XML, self-contained
   */
  public Simulation(String name, String mjcf) {
    this(name, EngineMemory.of(name, mjcf));
  }

  /**
   * Compiles a model.
   *
   * @param file in MuJoCo's XML; what it includes, and its meshes, are found from there
   */
  public Simulation(String name, Path file) {
    this(name, EngineMemory.of(name, file));
  }

  private Simulation(String name, EngineMemory memory) {
    this.name = name;
    this.layout = MujocoLibrary.load().layout();
    this.cleanable = CLEANER.register(this, memory);
    this.model = memory.model;
    this.passiveModel = memory.passiveModel;
    this.data = memory.data;
    this.facts = new ModelFacts(this, layout, model);
    // Everything up to the array pointers, so that time, contacts and warnings are plain reads.
    this.header = buffer(data, layout.data("buffer"));
    int stride = layout.data("warning.stride");
    int first = layout.data("warning.number");
    this.divergences =
        new int[] {
          first + stride * layout.constant("mjWARN_BADQPOS"),
          first + stride * layout.constant("mjWARN_BADQVEL"),
          first + stride * layout.constant("mjWARN_BADQACC")
        };
    this.contactsAt = layout.data("ncon");
    this.timeAt = layout.data("time");
    this.siteKind = layout.constant("mjOBJ_SITE");
    qpos = view("qpos", facts.size("nq"));
    qvel = view("qvel", facts.size("nv"));
    act = view("act", facts.size("na"));
    ctrl = view("ctrl", facts.size("nu"));
    warmStart = view("qacc_warmstart", facts.size("nv"));
    sensors = view("sensordata", facts.size("nsensordata"));
    mocapPosition = view("mocap_pos", 3 * facts.size("nmocap"));
    mocapQuaternion = view("mocap_quat", 4 * facts.size("nmocap"));
    int bodies = facts.size("nbody");
    bodyPositions = view("xpos", 3 * bodies);
    bodyQuaternions = view("xquat", 4 * bodies);
    bodyRotations = view("xmat", 9 * bodies);
    bodyCentres = view("xipos", 3 * bodies);
    appliedForces = view("xfrc_applied", 6 * bodies);
    geomPositions = view("geom_xpos", 3 * facts.size("ngeom"));
    geomRotations = view("geom_xmat", 9 * facts.size("ngeom"));
    sitePositions = view("site_xpos", 3 * facts.size("nsite"));
    siteRotations = view("site_xmat", 9 * facts.size("nsite"));
    subtreeCentres = view("subtree_com", 3 * bodies);
    subtreeVelocities = view("subtree_linvel", 3 * bodies);
    subtreeAngularMomenta = view("subtree_angmom", 3 * bodies);
    // After the views, which have found the layout to be this library's: now it is safe to write.
    Pointer passive = new Pointer(passiveModel);
    int flags = layout.model("opt.disableflags");
    passive.setInt(flags, passive.getInt(flags) | layout.constant("mjDSBL_ACTUATION"));
  }

  private View view(String field, int size) {
    Pointer state = new Pointer(data);
    long address = state.getLong(layout.data(field));
    if (!EngineMemory.holds(
        state.getLong(layout.data("buffer")),
        layout.dataCount(state, "nbuffer"),
        address,
        8L * size)) {
      throw new IllegalStateException(
          "mjData.%s does not lie where the layout of this MuJoCo says".formatted(field));
    }
    return new View(this, buffer(address, 8 * size).asDoubleBuffer());
  }

  private static ByteBuffer buffer(long address, int bytes) {
    return bytes == 0
        ? ByteBuffer.allocate(0)
        : new Pointer(address).getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
  }

  /**
   * Another simulation of the same compiled model, at the model's own start. Any thread may ask,
   * because nothing of this one's state is read.
   */
  public synchronized Simulation another() {
    requireOpen();
    return new Simulation(name, EngineMemory.copyOf(name, model));
  }

  /** Sets the state to the model's own start, everything else to zero. */
  public void reset() {
    check();
    Mujoco.mj_resetData(model, data);
    raise();
  }

  /** Computes everything that follows from the state, the acceleration included. */
  public void forward() {
    check();
    Mujoco.mj_forward(model, data);
    raise();
  }

  /** {@link #forward} with the actuators switched off, as dm_control does after a reset. */
  public void forwardPassive() {
    check();
    Mujoco.mj_forward(passiveModel, data);
    raise();
  }

  /**
   * Only what follows from positions and velocities: the first half of a step. Unlike {@link
   * #forward} it refuses a state that is not finite or is huge.
   */
  public void forwardKinematics() {
    check();
    Mujoco.mj_step1(model, data);
    if (!stable()) {
      throw new MujocoException(
          "the state of the " + name + " simulation is infinite, NaN or huge");
    }
  }

  /**
   * Advances by {@code count} steps of the engine.
   *
   * @return false when the state became infinite, NaN or huge: MuJoCo then has put back the start
   */
  public boolean step(int count) {
    check();
    for (int i = 0; i < count; i++) {
      Mujoco.mj_step(model, data);
      stopAtError();
    }
    release();
    return stable();
  }

  /**
   * dm_control's control step: the second half of a step, whole steps between, then the first half
   * of the next. It moves as {@code substeps} steps do, but leaves positions and velocities fresh
   * and acceleration sensors one substep old.
   *
   * @return false as {@link #step} does
   */
  public boolean controlStep(int substeps) {
    check();
    Mujoco.mj_step2(model, data);
    stopAtError();
    for (int i = 1; i < substeps; i++) {
      Mujoco.mj_step(model, data);
      stopAtError();
    }
    release();
    Mujoco.mj_step1(model, data);
    return stable();
  }

  /**
   * Applies a force to a body until the end of the coming {@link #step} or {@link #controlStep};
   * several add up. On a body that is fixed to the world it has no effect.
   *
   * @param point where it acts, in the world
   * @param force in newtons, in the world's axes
   */
  public void push(int body, double[] point, double[] force) {
    check();
    Objects.checkIndex(body, bodyCentres.size() / 3);
    requireVector("point", point);
    requireVector("force", force);
    double[] arm = new double[3];
    bodyCentres.copy(3 * body, arm, 0, 3);
    for (int i = 0; i < 3; i++) {
      arm[i] = point[i] - arm[i];
    }
    // The engine takes a force at the body's centre of mass and a torque.
    pushed = true;
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3;
      int k = (i + 2) % 3;
      add(6 * body + i, force[i]);
      add(6 * body + 3 + i, arm[j] * force[k] - arm[k] * force[j]);
    }
  }

  private static void requireVector(String what, double[] vector) {
    if (vector.length != 3 || !Arrays.stream(vector).allMatch(Double::isFinite)) {
      throw new IllegalArgumentException(
          "the %s of a push must be three finite numbers, found %s"
              .formatted(what, Arrays.toString(vector)));
    }
  }

  private void add(int index, double value) {
    appliedForces.set(index, appliedForces.get(index) + value);
  }

  private void release() {
    if (pushed) {
      pushed = false;
      appliedForces.setAll(new double[appliedForces.size()], 0);
    }
  }

  private boolean stable() {
    boolean diverged = false;
    for (int at : divergences) {
      diverged |= header.getInt(at) > 0;
    }
    if (diverged && broken == null) {
      MujocoErrors.Complaint complaint = MujocoErrors.take();
      if (complaint != null && complaint.fatal()) {
        fail(complaint);
      }
      return false;
    }
    raise();
    return true;
  }

  /** Between steps: MuJoCo must not be let loose on a state that an error left undefined. */
  private void stopAtError() {
    if (MujocoErrors.raised() && MujocoErrors.fatal()) {
      fail(MujocoErrors.take());
    }
  }

  private void raise() {
    if (MujocoErrors.raised()) {
      MujocoErrors.Complaint complaint = MujocoErrors.take();
      if (complaint != null) {
        fail(complaint);
      }
    }
  }

  private void fail(MujocoErrors.Complaint complaint) {
    if (complaint.fatal()) {
      broken = complaint.message();
    }
    throw new MujocoException(
        "MuJoCo %s in the %s simulation: %s"
            .formatted(complaint.fatal() ? "failed" : "warned", name, complaint.message()));
  }

  /** Refuses a closed or broken simulation, and a second thread. */
  void check() {
    if (owner != Thread.currentThread() || broken != null) {
      claim();
      if (broken != null) {
        throw new IllegalStateException(
            "the %s simulation is broken after an error of MuJoCo: %s".formatted(name, broken));
      }
    }
  }

  private synchronized void claim() {
    Thread current = Thread.currentThread();
    requireOpen();
    Thread holder = owner;
    if (holder != null && holder != current && holder.isAlive()) {
      throw new IllegalStateException(
          ("the %s simulation belongs to thread '%s', and thread '%s' must not touch it:"
                  + " give each thread its own, or let the first call handOver()")
              .formatted(name, holder.getName(), current.getName()));
    }
    owner = current;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the " + name + " simulation is closed");
    }
  }

  /** Gives the simulation up, so that the next thread to touch it becomes its owner. */
  public synchronized void handOver() {
    check();
    owner = null;
  }

  /** Frees the native memory, also of a broken one. Only the owner may; twice is harmless. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    claim();
    closed = true;
    owner = null;
    cleanable.clean();
  }

  public String name() {
    return name;
  }

  /** What never changes: sizes, ranges, shapes. */
  public ModelFacts facts() {
    return facts;
  }

  /** The number of contacts that the last collision pass found. */
  public int contacts() {
    check();
    try {
      return header.getInt(contactsAt);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Seconds since the reset. */
  public double time() {
    check();
    try {
      return header.getDouble(timeAt);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  public void setTime(double seconds) {
    check();
    try {
      header.putDouble(timeAt, seconds);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Takes a geom out of all collisions, for good. */
  public void ignoreCollisions(int geom) {
    check();
    Objects.checkIndex(geom, geomPositions.size() / 3);
    try {
      for (long each : new long[] {model, passiveModel}) {
        for (String field : List.of("geom_contype", "geom_conaffinity")) {
          new Pointer(each).getPointer(layout.model(field)).setInt(4L * geom, 0);
        }
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** A named thing's index; the model is ours, so a missing one is a fault of ours. */
  public int id(Kind kind, String named) {
    check();
    int id =
        Mujoco.mj_name2id(
            model, layout.constant("mjOBJ_" + kind), Objects.requireNonNull(named, "name"));
    if (id < 0) {
      throw new IllegalArgumentException(
          "the %s model has no %s called '%s'"
              .formatted(name, kind.name().toLowerCase(Locale.ROOT), named));
    }
    return id;
  }

  /** A thing's name; empty when the model gives it none. */
  public String nameOf(Kind kind, int id) {
    check();
    try {
      String found = Mujoco.mj_id2name(model, layout.constant("mjOBJ_" + kind), id);
      return found == null ? "" : found;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Velocity of a site in the world's axes: three of rotation, then three of translation. */
  public void siteVelocity(int site, double[] velocity) {
    check();
    Objects.checkIndex(site, sitePositions.size() / 3);
    Objects.checkFromIndexSize(0, 6, velocity.length);
    try {
      Mujoco.mj_objectVelocity(model, data, siteKind, site, velocity, 0);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Joint positions, {@code qpos}. */
  public View qpos() {
    return qpos;
  }

  /** Joint velocities, {@code qvel}. */
  public View qvel() {
    return qvel;
  }

  /** Actuator activations, {@code act}. */
  public View act() {
    return act;
  }

  /** Controls, {@code ctrl}, as written: the engine clamps them only in use. */
  public View ctrl() {
    return ctrl;
  }

  /** The acceleration from which the constraint solver starts, {@code qacc_warmstart}. */
  public View warmStart() {
    return warmStart;
  }

  /** All sensors one after the other, {@code sensordata}. */
  public View sensors() {
    return sensors;
  }

  public View mocapPosition() {
    return mocapPosition;
  }

  public View mocapQuaternion() {
    return mocapQuaternion;
  }

  /** World position of each body, {@code xpos}. */
  public View bodyPositions() {
    return bodyPositions;
  }

  /** World orientation of each body as w, x, y, z, {@code xquat}. */
  public View bodyQuaternions() {
    return bodyQuaternions;
  }

  /** World rotation matrix of each body, row by row, {@code xmat}. */
  public View bodyRotations() {
    return bodyRotations;
  }

  /** World position of each body's centre of mass, {@code xipos}. */
  public View bodyCentres() {
    return bodyCentres;
  }

  /** Force, then torque, that {@link #push} applies to each body, {@code xfrc_applied}. */
  public View appliedForces() {
    return appliedForces;
  }

  public View geomPositions() {
    return geomPositions;
  }

  public View geomRotations() {
    return geomRotations;
  }

  public View sitePositions() {
    return sitePositions;
  }

  public View siteRotations() {
    return siteRotations;
  }

  /** Centre of mass of each body with all that hangs on it, {@code subtree_com}. */
  public View subtreeCentres() {
    return subtreeCentres;
  }

  /** Velocity of those centres of mass; filled only if the model has a subtree sensor. */
  public View subtreeVelocities() {
    return subtreeVelocities;
  }

  /** Angular momentum about those centres of mass; filled with {@link #subtreeVelocities}. */
  public View subtreeAngularMomenta() {
    return subtreeAngularMomenta;
  }
}
