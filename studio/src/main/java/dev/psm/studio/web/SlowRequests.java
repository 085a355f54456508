package dev.psm.studio.web;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.EagerContentHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Bounds how long a request may take to come in. The idle timeout alone does not: whoever sends a
 * byte now and then would keep a connection for good, and all of them with a few hundred.
 *
 * <p>A connection over which no head comes in is closed: there is no request to answer. Bodies that
 * are read ahead have {@link PunctualBody}'s bound. One that says that it is too long is not read
 * at all, but goes to its route, where it is refused.
 */
final class SlowRequests extends Handler.Wrapper implements Connection.Listener {
  private final Duration patience;
  private final int maxBody;
  private final Arrival arrival = new Arrival();
  private final Map<Connection, Progress> connections = new ConcurrentHashMap<>();

  /**
   * @param maxBody bytes of a body
   * @param readAhead up to so many of them before a thread is spent on the request
   */
  SlowRequests(Duration patience, int maxBody, int readAhead) {
    this.patience = patience;
    this.maxBody = maxBody;
    setHandler(
        new EagerContentHandler(
            arrival, new EagerContentHandler.RetainedContentLoaderFactory(readAhead, -1, false)));
  }

  /** Behind the reading ahead. */
  private static final class Arrival extends Handler.Wrapper {
    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      Request.as(request, PunctualBody.class).passOn();
      return super.handle(request, response, callback);
    }
  }

  /** What a connection had done when it was last seen to get on. */
  private static final class Progress {
    private long responses;
    private long bytes;
    private long since = System.nanoTime();
    private volatile boolean arrived;
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    again();
  }

  private void again() {
    getServer()
        .getScheduler()
        .schedule(this::look, Math.max(1, patience.toMillis() / 4), TimeUnit.MILLISECONDS);
  }

  private void look() {
    long now = System.nanoTime();
    connections.forEach((connection, progress) -> look(connection, progress, now));
    if (isRunning()) {
      again();
    }
  }

  private void look(Connection connection, Progress progress, long now) {
    long responses = connection.getMessagesOut();
    long bytes = connection.getBytesIn();
    boolean idle = bytes == progress.bytes && connection.getMessagesIn() == responses;
    if (responses != progress.responses || progress.arrived || idle) {
      progress.responses = responses;
      progress.bytes = bytes;
      progress.since = now;
    } else if (now - progress.since > patience.toNanos()) {
      connection.getEndPoint().close(new TimeoutException("a request came in too slowly"));
    }
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Progress progress = connections.get(request.getConnectionMetaData().getConnection());
    if (progress == null) {
      return answer(request, response, callback);
    }
    progress.arrived = true;
    return answer(request, response, Callback.from(() -> progress.arrived = false, callback));
  }

  private boolean answer(Request request, Response response, Callback callback) throws Exception {
    return request.getLength() > maxBody
        ? arrival.getHandler().handle(request, response, callback)
        : super.handle(new PunctualBody(request, patience.toNanos()), response, callback);
  }

  @Override
  public void onOpened(Connection connection) {
    // What a connection was upgraded to has no requests, but frames, with bounds of their own.
    if (connection instanceof ConnectionMetaData) {
      connections.put(connection, new Progress());
    }
  }

  @Override
  public void onClosed(Connection connection) {
    connections.remove(connection);
  }
}
