package dev.psm.bench;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Asks at a steady rate, whether answers come or not, and counts a request's time from when it was
 * due: a service that stalls is charged for every request that would have come meanwhile.
 */
final class OpenLoop {
  /** Where a client cannot send so many, it stops after this much of the time. */
  private static final double LATE = 1.5;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Of a client that cannot be served: not even an answer. */
  static final int NO_ANSWER = 0;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /**
   * What came of it.
   *
   * @param statuses how often each was answered
   * @param unanswered why requests got no answer, and how many each
   * @param milliseconds of the requests answered 200, ascending
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Result(
      Map<Integer, Integer> statuses,
      Map<String, Integer> unanswered,
      double[] milliseconds,
      double seconds) {
    double percentile(double percent) {
      int last = milliseconds.length - 1;
      return last < 0 ? Double.NaN : milliseconds[(int) Math.round(last * percent / 100)];
    }

    int count(int status) {
      return statuses.getOrDefault(status, 0);
    }
  }

  /**
   * @param most requests that wait for an answer at once; whoever would be one more asks later, and
   *     is charged for it
   */
  Result run(double perSecond, double seconds, int most, IntFunction<HttpRequest> requests) {
    int count = (int) Math.max(1, Math.round(perSecond * seconds));
    double[] milliseconds = new double[count];
    int[] statuses = new int[count];
    AtomicInteger waiting = new AtomicInteger();
    Map<String, Integer> unanswered = new ConcurrentSkipListMap<>();
    Phaser open = new Phaser(1);
    long start = System.nanoTime();
    int sent = 0;
    while (sent < count && System.nanoTime() - start < LATE * seconds * 1e9) {
      int i = sent++;
      long due = start + (long) (i * 1e9 / perSecond);
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      while (waiting.get() >= most) {
        LockSupport.parkNanos(100_000);
      }
      int index = i;
      waiting.incrementAndGet();
      open.register();
      CompletableFuture<Void> unused =
          client
              .sendAsync(requests.apply(i), BodyHandlers.ofByteArray())
              .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
              .handle(
                  (response, failure) -> {
                    milliseconds[index] = (System.nanoTime() - due) / 1e6;
                    statuses[index] = failure == null ? response.statusCode() : NO_ANSWER;
                    if (failure != null) {
                      unanswered.merge(failure.toString(), 1, Integer::sum);
                    }
                    waiting.decrementAndGet();
                    open.arriveAndDeregister();
                    return null;
                  });
    }
    open.arriveAndAwaitAdvance();
    double took = (System.nanoTime() - start) / 1e9;
    Map<Integer, Integer> counted = new TreeMap<>();
    double[] answered = new double[sent];
    int next = 0;
    for (int i = 0; i < sent; i++) {
      counted.merge(statuses[i], 1, Integer::sum);
      if (statuses[i] == 200) {
        answered[next++] = milliseconds[i];
      }
    }
    double[] sorted = Arrays.copyOf(answered, next);
    Arrays.sort(sorted);
    return new Result(counted, unanswered, sorted, took);
  }
}
