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
import org.eclipse.jetty.util.Callback;

/**
 * Closes connections over which a request does not come in within a time. The idle timeout alone
 * does not: whoever sends a byte now and then would keep a connection for good, and all of them
 * with a few hundred.
 */
final class SlowRequests extends Handler.Wrapper implements Connection.Listener {
  private final Duration patience;
  private final Map<Connection, Progress> connections = new ConcurrentHashMap<>();

  SlowRequests(Duration patience) {
    this.patience = patience;
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

  /** The request is here whole, or so far that reading the rest has bounds of its own. */
  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Progress progress = connections.get(request.getConnectionMetaData().getConnection());
    if (progress == null) {
      return super.handle(request, response, callback);
    }
    progress.arrived = true;
    return super.handle(request, response, Callback.from(() -> progress.arrived = false, callback));
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
