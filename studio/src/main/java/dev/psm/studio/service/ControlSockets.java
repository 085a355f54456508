package dev.psm.studio.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.studio.web.Bodies;
import dev.psm.studio.web.RequestError;
import io.javalin.http.Context;
import io.javalin.websocket.WsBinaryMessageContext;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsContext;
import io.javalin.websocket.WsMessageContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/**
 * Control loops: a WebSocket over which observations come and actions go, one answer for each frame
 * in their order. Text frames are JSON as for {@code act}; binary frames are the numbers
 * themselves, single precision, little-endian.
 */
final class ControlSockets {
  /** Answers that wait to be read; whoever has not read that many reads none. */
  private static final int MAX_UNREAD = 16;

  private static final Duration IDLE = Duration.ofMinutes(5);

  /** A connection that is torn down before its last frame is out tells its client nothing. */
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  /** Characters of a number as text, in double precision and with a comma and blanks. */
  private static final int NUMBER_CHARACTERS = 32;

  /** For all of a text frame but its numbers, and for errors. */
  private static final int OTHER_CHARACTERS = 16 << 10;

  private static final int GOING_AWAY = 1001;
  private static final int TRY_AGAIN_LATER = 1013;
  private static final String LOOP = "loop";

  private final ServedModels models;
  private final PolicyCache policies;
  private final ServiceLimits limits;
  private final BiFunction<ServedPolicy, ActRequest, float[]> acting;
  private final Set<Session> open = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;

  /**
   * @param acting within all bounds
   */
  ControlSockets(
      ServedModels models,
      PolicyCache policies,
      ServiceLimits limits,
      BiFunction<ServedPolicy, ActRequest, float[]> acting) {
    this.models = models;
    this.policies = policies;
    this.limits = limits;
    this.acting = acting;
  }

  /** Where one connection's loop is. */
  private static final class Loop {
    private final ServedModel model;
    private ServedPolicy policy;
    private int step;
    private final Unread unread = new Unread();

    Loop(ServedModel model) {
      this.model = model;
    }
  }

  int count() {
    // Whoever is cut off at a bad moment may never be told to be closed.
    open.removeIf(session -> !session.isOpen());
    return open.size();
  }

  /** Before the connection becomes a WebSocket, so that a wrong name is an HTTP error. */
  void check(Context request) {
    loop(models.find(request.pathParam("model")), request.queryParam(ActRequest.POLICY));
    if (count() >= limits.maxSockets()) {
      throw RequestError.later(
          429, "%d WebSockets are open, and no more at once", limits.maxSockets());
    }
  }

  private Loop loop(ServedModel model, String policy) {
    Loop loop = new Loop(model);
    model.agent();
    if (policy != null) {
      loop.policy = policies.find(policy, model);
    }
    return loop;
  }

  void routes(WsConfig socket) {
    socket.onConnect(
        connection -> {
          Session session = connection.session;
          session.setIdleTimeout(IDLE);
          bound(session, models.find(connection.pathParam("model")));
          open.add(session);
          // It may have been let in just before.
          if (stopping) {
            goAway(session);
            return;
          }
          // Several may have come in between the check and here.
          if (count() > limits.maxSockets()) {
            session.close(TRY_AGAIN_LATER, "too many WebSockets", Callback.NOOP);
            return;
          }
          connection.attribute(
              LOOP,
              loop(
                  models.find(connection.pathParam("model")),
                  connection.queryParam(ActRequest.POLICY)));
        });
    socket.onMessage(this::text);
    socket.onBinaryMessage(this::binary);
    socket.onClose(connection -> open.remove(connection.session));
    socket.onError(
        connection -> {
          open.remove(connection.session);
          connection.session.disconnect();
        });
  }

  /**
   * Many half messages at once are held in full, so each may be as long as the largest batch, and
   * not as a body: a frame that announces more is refused by its head.
   */
  private void bound(Session session, ServedModel model) {
    int frame = maxFrame(model);
    session.setAutoFragment(false);
    session.setMaxFrameSize(frame);
    session.setMaxTextMessageSize(Math.min(frame, limits.maxBody()));
    session.setMaxBinaryMessageSize(Math.min(frame, limits.maxBody()));
    session.setMaxOutgoingFrames(MAX_UNREAD);
  }

  /** Bytes of the largest batch as text, or of its answer. */
  private int maxFrame(ServedModel model) {
    long numbers = (long) limits.maxBatch() * Math.max(model.observationSize(), model.actionSize());
    return (int) Math.min(Integer.MAX_VALUE, OTHER_CHARACTERS + NUMBER_CHARACTERS * numbers);
  }

  private void text(WsMessageContext frame) {
    answering(
        frame,
        loop -> {
          JsonField body = JsonField.of("frame", Bodies.object(frame.message()));
          boolean another = body.has(ActRequest.POLICY);
          ServedPolicy policy =
              another ? policies.find(body.get(ActRequest.POLICY).text(), loop.model) : loop.policy;
          int step = ActRequest.step(body, another ? 0 : loop.step);
          ActRequest asked = ActRequest.read(body, loop.model, step, limits);
          ObjectNode answer = asked.answer(loop.model, act(loop, policy, asked));
          send(frame.session, loop, answer);
        });
  }

  private void binary(WsBinaryMessageContext frame) {
    answering(
        frame,
        loop -> {
          ActRequest asked = numbers(frame.data(), loop);
          float[] actions = act(loop, loop.policy, asked);
          ByteBuffer answer =
              ByteBuffer.allocate(actions.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
          answer.asFloatBuffer().put(actions);
          loop.unread.send(
              frame.session, answer.capacity(), read -> frame.session.sendBinary(answer, read));
        });
  }

  private ActRequest numbers(ByteBuffer data, Loop loop) {
    int width = loop.model.observationSize();
    int row = width * Float.BYTES;
    int rows = data.remaining() / row;
    if (rows < 1 || rows > limits.maxBatch() || data.remaining() % row != 0) {
      throw RequestError.invalid(
          "frame: expected 1 to %d observations of %d bytes, single precision, found %d bytes",
          limits.maxBatch(), row, data.remaining());
    }
    float[] numbers = new float[rows * width];
    data.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(numbers);
    for (int i = 0; i < numbers.length; i++) {
      if (!Float.isFinite(numbers[i])) {
        throw RequestError.invalid(
            "frame: number %d (from 0) must be finite, found %s", i, numbers[i]);
      }
    }
    return new ActRequest("frame", numbers, true, loop.step);
  }

  /** Acts, and only then moves the loop on: a frame that is refused leaves it as it was. */
  private float[] act(Loop loop, ServedPolicy policy, ActRequest asked) {
    if (policy == null) {
      throw RequestError.invalid(
          "which policy? Name it in the address, ?policy=ID, or in a text frame");
    }
    float[] actions = acting.apply(policy, asked);
    loop.policy = policy;
    // The last one stays, and a loop may go on for long.
    loop.step = Math.min(asked.step(), policy.policy().steps() - 1) + 1;
    return actions;
  }

  private interface Work {
    void run(Loop loop);
  }

  /** What is wrong is told as a text frame, and the loop goes on. */
  private static void answering(WsContext frame, Work work) {
    Loop loop = frame.attribute(LOOP);
    if (loop == null) {
      return;
    }
    ObjectNode error;
    try {
      work.run(loop);
      return;
    } catch (RequestError e) {
      error = Bodies.error(e.getMessage()).put("status", e.status());
    } catch (UserError e) {
      error = Bodies.error(e.getMessage()).put("status", 400);
    } catch (RuntimeException e) {
      error =
          Bodies.error("a fault in psm itself: " + e.getClass().getSimpleName()).put("status", 500);
    }
    send(frame.session, loop, error);
  }

  private static void send(Session session, Loop loop, ObjectNode answer) {
    String text = Json.line(answer);
    loop.unread.send(session, text.length(), read -> session.sendText(text, read));
  }

  /** Tells every client that the server goes away, and gives it a moment to hear it. */
  void close() {
    stopping = true;
    open.forEach(ControlSockets::goAway);
    long end = System.nanoTime() + FAREWELL.toNanos();
    try {
      while (!open.isEmpty() && System.nanoTime() < end) {
        Thread.sleep(5);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void goAway(Session session) {
    session.close(GOING_AWAY, "the server is stopping", Callback.NOOP);
  }
}
