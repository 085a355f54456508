package dev.psm.studio.body;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.formula.FormulaError;
import dev.psm.studio.web.RequestError;
import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One page's bodies: a thread that steps them in real time by the policies of the present prompts,
 * does between two steps what the page says, and shows after each where everything is. It lives
 * until the page goes, or for a while after the page stopped reading.
 */
final class BodySession implements AutoCloseable {
  private static final int WAITING_MESSAGES = 256;
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1000 * MILLISECOND;

  /** What falls further behind than this is not caught up with. */
  private static final long LATE = SECOND / 5;

  /** Screens show no more, whatever the speed. */
  private static final long BETWEEN_FRAMES = 14 * MILLISECOND;

  /** So that a paused page's connection does not look dead. */
  private static final long HEARTBEAT = SECOND;

  private static final long UNREAD = 30 * SECOND;
  private static final long LONGEST_WAIT = SECOND / 10;

  private final Supplier<ZeroShotAgent> loading;
  private final Uploads uploads;
  private final Outlet outlet;
  private final Runnable onEnd;
  private final BlockingQueue<Message> waiting = new ArrayBlockingQueue<>(WAITING_MESSAGES);
  private final Thread thread;

  private volatile boolean ending;

  // All below belongs to the thread.
  private World world;
  private Mannequin mannequin;
  private Pursuits pursuits;
  private final List<Lane> lanes = new ArrayList<>();
  private boolean playing = true;
  private double speed = 1;
  private long seed;
  private long due;
  private long lastFrame;
  private long lastShown;
  private int dropped;

  /**
   * @param loading gives the agent, which may take a while
   * @param onEnd called on the session's thread when it is over
   */
  BodySession(Supplier<ZeroShotAgent> loading, Uploads uploads, Outlet outlet, Runnable onEnd) {
    this.loading = loading;
    this.uploads = uploads;
    this.outlet = outlet;
    this.onEnd = onEnd;
    this.thread = new Thread(this::run, "body session");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Takes what the page says; what it means is answered by the session's thread. */
  void receive(String text) {
    Message message;
    try {
      message = Message.read(text);
    } catch (UserError | RequestError wrong) {
      outlet.say(error("message", wrong.getMessage()));
      return;
    }
    if (!waiting.offer(message)) {
      outlet.say(error("message", "too many messages at once; this one was not heard"));
    }
  }

  /** Ends it soon. */
  void end() {
    ending = true;
  }

  boolean isRunning() {
    return thread.isAlive();
  }

  @Override
  public void close() {
    end();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      outlet.say(Json.object().put("type", "loading"));
      ZeroShotAgent agent = loading.get();
      world = agent.environment();
      mannequin = new Mannequin(world);
      pursuits = new Pursuits(agent, uploads, mannequin);
      addLane();
      loop();
      outlet.close("the session is over");
    } catch (UserError e) {
      fail(e.getMessage());
    } catch (RuntimeException | Error e) {
      fail("a fault in psm itself: " + e);
    } finally {
      lanes.forEach(Lane::close);
      if (mannequin != null) {
        mannequin.close();
      }
      onEnd.run();
    }
  }

  private void fail(String why) {
    outlet.say(Json.object().put("type", "end").put("message", why));
    outlet.close("the session failed");
  }

  private void loop() {
    due = System.nanoTime();
    lastShown = due;
    boolean news = true;
    while (!ending) {
      long now = System.nanoTime();
      if (playing && now >= due) {
        step();
        due = now - due > LATE ? now : due + (long) (world.stepSeconds() * SECOND / speed);
        news = true;
      }
      if ((news && now - lastFrame >= BETWEEN_FRAMES) || now - lastFrame >= HEARTBEAT) {
        show(now);
        news = false;
      }
      if (now - lastShown > UNREAD) {
        return;
      }
      news |= listen();
    }
  }

  /** Does what the page said meanwhile, or waits for it until the next step is due. */
  private boolean listen() {
    long wait = playing ? Math.min(LONGEST_WAIT, due - System.nanoTime()) : LONGEST_WAIT;
    try {
      Message message = wait > 0 ? waiting.poll(wait, TimeUnit.NANOSECONDS) : waiting.poll();
      boolean heard = message != null;
      while (message != null) {
        handle(message);
        message = waiting.poll();
      }
      return heard;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ending = true;
      return false;
    }
  }

  private void show(long now) {
    lastFrame = now;
    if (outlet.show(Frame.of(lanes, dropped))) {
      lastShown = now;
    } else {
      dropped++;
    }
  }

  private void step() {
    for (int i = 0; i < lanes.size(); i++) {
      Lane lane = lanes.get(i);
      try {
        lane.step();
      } catch (RuntimeException e) {
        // A world of the user's own, or a policy whose numbers left their range.
        playing = false;
        outlet.say(error("step", "stopped: " + words(e)).put("lane", i));
        lane.begin(seed);
      }
      if (lane.takeDiverged()) {
        outlet.say(note(i, "the simulation blew up, so another episode began"));
      }
    }
  }

  private void handle(Message message) {
    try {
      obey(message);
    } catch (RuntimeException e) {
      ObjectNode error = error(type(message), words(e));
      if (message instanceof Message.Prompt prompt) {
        error.put("lane", prompt.lane()).put("id", prompt.id());
        if (e instanceof FormulaError mistake) {
          error.put("index", mistake.index()).put("message", mistake.problem());
        }
      }
      outlet.say(error);
    }
  }

  private void obey(Message message) {
    if (message instanceof Message.Lanes wanted) {
      arrange(wanted.count());
    } else if (message instanceof Message.Prompt prompt) {
      pursue(prompt);
    } else if (message instanceof Message.Play play) {
      playing = play.playing();
      due = System.nanoTime();
    } else if (message instanceof Message.Speed wanted) {
      speed = wanted.factor();
      due = System.nanoTime();
    } else if (message instanceof Message.Reset) {
      seed++;
      lanes.forEach(lane -> lane.begin(seed));
    } else if (message instanceof Message.Push push) {
      lane(push.lane()).push(push);
    } else if (message instanceof Message.Release release) {
      lane(release.lane()).release();
    } else if (message instanceof Message.Preview preview) {
      preview(preview);
    } else if (message instanceof Message.Posture posture) {
      ObjectNode answer = Json.object().put("type", "posture").put("lane", posture.lane());
      put(answer.putArray("pose"), lane(posture.lane()).posture());
      outlet.say(answer);
    }
  }

  private Lane lane(int number) {
    if (number >= lanes.size()) {
      throw UserError.invalid("there is no body %d; ask for two of them first", number);
    }
    return lanes.get(number);
  }

  private void arrange(int count) {
    if (count == lanes.size()) {
      return;
    }
    while (lanes.size() > count) {
      lanes.remove(lanes.size() - 1).close();
    }
    while (lanes.size() < count) {
      addLane();
    }
    lanes.forEach(lane -> lane.begin(seed));
  }

  private void addLane() {
    Lane lane = new Lane(world, pursuits, mannequin);
    lanes.add(lane);
    lane.begin(seed);
    sayScene(lanes.size() - 1);
  }

  private void sayScene(int number) {
    Lane lane = lanes.get(number);
    ObjectNode message = Json.object().put("type", "scene").put("lane", number);
    lane.scenery().ifPresent(scenery -> message.setAll(SceneJson.of(scenery)));
    outlet.say(message);
  }

  private void pursue(Message.Prompt prompt) {
    long start = System.nanoTime();
    Lane lane = lane(prompt.lane());
    boolean dressed = lane.dressedOtherwise(() -> lane.pursue(prompt.id(), prompt.asked()));
    double milliseconds = (System.nanoTime() - start) / 1e6;
    if (dressed) {
      sayScene(prompt.lane());
    }
    outlet.say(policy(prompt, lane.pursuit()).put("milliseconds", milliseconds));
  }

  private static ObjectNode policy(Message.Prompt prompt, Pursuit pursuit) {
    ObjectNode answer =
        Json.object()
            .put("type", "policy")
            .put("lane", prompt.lane())
            .put("id", prompt.id())
            .put("title", pursuit.prompt().title())
            .put("constant", pursuit.constant())
            .put("ghost", !pursuit.ghost().isEmpty())
            .put("drawn", pursuit.drawn());
    ArrayNode tracks = answer.putArray("tracks");
    pursuit.warning().ifPresent(words -> answer.put("warning", words));
    pursuit.tracks().forEach(track -> tracks.add(track.json()));
    pursuit
        .projection()
        .filter(known -> Double.isFinite(known.correlation()))
        .ifPresent(known -> answer.put("correlation", known.correlation()));
    if (pursuit.prompt() instanceof Prompt.Goal goal) {
      ArrayNode numbers = answer.putArray("goal");
      for (float number : goal.observation()) {
        numbers.add(number);
      }
    }
    return answer;
  }

  private void preview(Message.Preview preview) {
    Lane lane = lane(preview.lane());
    Optional<double[]> state = preview.asked().flatMap(this::posed);
    lane.preview(state);
    ObjectNode answer =
        Json.object()
            .put("type", "previewed")
            .put("lane", preview.lane())
            .put("shown", state.isPresent());
    if (preview.asked().orElse(null) instanceof Asked.Frame) {
      state.ifPresent(known -> put(answer.putArray("pose"), mannequin.values(known)));
    }
    outlet.say(answer);
  }

  /** The stored state of what is to be shown; empty where the observation does not tell it. */
  private Optional<double[]> posed(Asked asked) {
    if (asked instanceof Asked.Posture posture) {
      return Optional.of(mannequin.state(posture.values()));
    }
    if (asked instanceof Asked.Frame frame) {
      return mannequin.states(pursuits.observation(frame.index())).stream().findFirst();
    }
    throw UserError.invalid("only a pose or a frame can be shown before it is asked for");
  }

  private static void put(ArrayNode array, double[] numbers) {
    for (double number : numbers) {
      array.add(number);
    }
  }

  private static String type(Message message) {
    return message.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
  }

  private static String words(RuntimeException e) {
    return e instanceof UserError || e instanceof RequestError || e.getMessage() != null
        ? e.getMessage()
        : "a fault in psm itself: " + e.getClass().getSimpleName();
  }

  private static ObjectNode error(String about, String message) {
    return Json.object().put("type", "error").put("about", about).put("message", message);
  }

  private static ObjectNode note(int lane, String text) {
    return Json.object().put("type", "note").put("lane", lane).put("text", text);
  }
}
