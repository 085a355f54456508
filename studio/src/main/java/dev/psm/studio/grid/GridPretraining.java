package dev.psm.studio.grid;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agent;
import dev.psm.agents.TrainingData;
import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.Hashes;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.lab.Provenance;
import dev.psm.lab.run.Cadence;
import dev.psm.lab.run.Evaluator;
import dev.psm.lab.run.RunContext;
import dev.psm.lab.run.RunDescription;
import dev.psm.lab.run.RunFolder;
import dev.psm.lab.run.TrainingOutcome;
import dev.psm.lab.run.TrainingRun;
import dev.psm.studio.ModelShelf;
import dev.psm.torch.Device;
import dev.psm.torch.NativeLibraries;
import dev.psm.zeroshot.AgentFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Pretrains agents for maps, one after the other, into runs like any other: what was stopped goes
 * on where it was when it is asked for again, and what is finished is only taken from its folder.
 */
final class GridPretraining implements AutoCloseable {
  private static final long SEED = 0;

  private final ModelShelf shelf;
  private final Path folder;
  private final Runnable changed;

  /** The latest of every run. */
  private final List<Job> jobs = new ArrayList<>();

  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "grid pretraining");
            thread.setDaemon(true);
            return thread;
          });

  private int asked;

  private enum State {
    WAITING,
    RUNNING,
    DONE,
    STOPPED,
    FAILED
  }

  /** An agent being pretrained for a map. */
  private static final class Job {
    private final int number;
    private final GridWorld world;
    private final Agent agent;
    private final Path run;
    private volatile State state = State.WAITING;
    private volatile boolean stop;
    private volatile long done;
    private volatile long total;
    private volatile String note = "";
    private volatile String model = "";
    private volatile String error = "";

    Job(int number, GridWorld world, Agent agent, Path run) {
      this.number = number;
      this.world = world;
      this.agent = agent;
      this.run = run;
    }

    boolean isOver() {
      return state != State.WAITING && state != State.RUNNING;
    }

    ObjectNode describe() {
      ObjectNode node =
          Json.object()
              .put("job", number)
              .put("agent", agent.id())
              .put("title", agent.title())
              .put("state", state.name().toLowerCase(java.util.Locale.ROOT))
              .put("done", done)
              .put("total", total)
              .put("note", note)
              .put("folder", run.toString());
      node.set("map", GridApi.map(world.map()));
      if (!model.isEmpty()) {
        node.put("model", model);
      }
      if (!error.isEmpty()) {
        node.put("error", error);
      }
      return node;
    }
  }

  /**
   * @param folder where runs go
   * @param changed called when there is something new to tell, from any thread and often
   */
  GridPretraining(ModelShelf shelf, Path folder, Runnable changed) {
    this.shelf = shelf;
    this.folder = folder;
    this.changed = changed;
  }

  /** Maps that come with psm go by their name; of others, two may be called the same. */
  Path runFolder(GridMap map, Agent agent) {
    boolean builtIn = GridMap.NAMES.contains(map.name()) && GridMap.named(map.name()).equals(map);
    String name = map.name().replaceAll("[^A-Za-z0-9_-]", "-");
    if (!builtIn) {
      byte[] drawing = String.join("\n", map.lines()).getBytes(StandardCharsets.UTF_8);
      name += "-" + Hashes.sha256(drawing).substring(0, 8);
    }
    return folder.resolve(name).resolve(agent.id());
  }

  /** Asks for an agent; one that is under way already is not begun twice. */
  synchronized ObjectNode ask(GridWorld world, Agent agent) {
    Path run = runFolder(world.map(), agent);
    for (Job job : jobs) {
      if (job.run.equals(run) && !job.isOver()) {
        return job.describe();
      }
    }
    jobs.removeIf(job -> job.run.equals(run));
    Job job = new Job(++asked, world, agent, run);
    jobs.add(job);
    worker.execute(() -> work(job));
    changed.run();
    return job.describe();
  }

  synchronized boolean stop(int number) {
    for (Job job : jobs) {
      if (job.number == number && !job.isOver()) {
        job.stop = true;
        if (job.state == State.WAITING) {
          job.state = State.STOPPED;
        }
        changed.run();
        return true;
      }
    }
    return false;
  }

  synchronized ArrayNode describe() {
    ArrayNode list = Json.object().putArray("jobs");
    jobs.forEach(job -> list.add(job.describe()));
    return list;
  }

  private void work(Job job) {
    synchronized (this) {
      if (job.isOver()) {
        return;
      }
      job.state = State.RUNNING;
    }
    try {
      NativeLibraries.load();
      boolean finished = train(job);
      if (finished) {
        job.model = shelf.add(job.run).id();
      }
      job.state = finished ? State.DONE : State.STOPPED;
    } catch (UserError e) {
      job.error = e.getMessage();
      job.state = State.FAILED;
    } catch (RuntimeException | Error e) {
      job.error = "a fault in psm itself: " + e;
      job.state = State.FAILED;
    }
    changed.run();
  }

  private boolean train(Job job) {
    TrainingData data = new TrainingData.Complete(job.world);
    RunContext context =
        new RunContext(Device.CPU, progress(job), note -> {}, () -> job.stop, Evaluator::of);
    if (AgentFolder.isRun(job.run)) {
      RunFolder there = new RunFolder(job.run);
      RunDescription run = there.description();
      job.total = run.gradientSteps();
      if (there.finishedAt().isPresent() && there.seedsWithoutModel().isEmpty()) {
        return true;
      }
      return TrainingRun.resume(run, job.run, OptionalLong.empty(), data, context).finished();
    }
    String preset = job.agent.defaultPreset(job.world);
    Record settings = job.agent.settings(preset, job.world, null, List.of());
    RunDescription run =
        new RunDescription(
            job.agent,
            preset,
            settings,
            RunDescription.Data.of(job.world),
            List.of(SEED),
            Cadence.usual(job.agent, settings, job.world),
            Provenance.software(Device.CPU, job.world).put("started", Provenance.now()));
    job.total = run.gradientSteps();
    TrainingOutcome outcome = TrainingRun.start(run, job.run, false, data, context);
    return outcome.finished();
  }

  private Progress progress(Job job) {
    return (label, total) ->
        new Progress.Bar() {
          @Override
          public void update(long done, String note) {
            // A run that goes on tells only the steps that are left.
            job.done = job.total - total + done;
            job.note = note;
            changed.run();
          }

          @Override
          public void close() {}
        };
  }

  /** Stops what is under way, which can be gone on with later. */
  @Override
  public void close() {
    synchronized (this) {
      jobs.forEach(job -> job.stop = true);
    }
    worker.shutdown();
    try {
      if (!worker.awaitTermination(20, TimeUnit.SECONDS)) {
        worker.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
