package dev.psm.studio.web;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/**
 * A body that is read ahead, but not for longer than a time: then it fails, so that the request
 * goes on to its route and is answered there. To close the connection instead would tell nobody
 * anything.
 */
final class PunctualBody extends Request.Wrapper {
  private final EndPoint endPoint;
  private final long usualIdleMillis;
  private final long end;
  private volatile boolean passedOn;
  private volatile Content.Chunk failure;

  PunctualBody(Request request, long patienceNanos) {
    super(request);
    endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    usualIdleMillis = endPoint.getIdleTimeout();
    end = System.nanoTime() + patienceNanos;
  }

  /** From here on whoever reads has bounds of his own. */
  void passOn() {
    passedOn = true;
    endPoint.setIdleTimeout(usualIdleMillis);
  }

  @Override
  public void demand(Runnable whenThere) {
    if (!passedOn) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      endPoint.setIdleTimeout(Math.max(1, Math.min(usualIdleMillis, left)));
    }
    super.demand(whenThere);
  }

  @Override
  public Content.Chunk read() {
    if (failure != null) {
      return failure;
    }
    Content.Chunk chunk = super.read();
    if (passedOn || (chunk != null && chunk.isLast())) {
      return chunk;
    }
    if (Content.Chunk.isFailure(chunk)) {
      // Silence ends by a failure after which more could be asked for; nobody will.
      failure = Content.Chunk.from(chunk.getFailure(), true);
      return failure;
    }
    if (System.nanoTime() > end) {
      if (chunk != null) {
        chunk.release();
      }
      failure = Content.Chunk.from(new TimeoutException("a body came in too slowly"), true);
      return failure;
    }
    return chunk;
  }
}
