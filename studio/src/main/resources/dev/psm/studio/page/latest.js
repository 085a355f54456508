// Work that is asked for more often than it can be done: while one piece is under way only the newest wish is kept.
// `ask` resolves when nothing newer is left to do.

export function latest(work) {
  let running = null;
  let wished = false;
  const run = async () => {
    do {
      wished = false;
      await work();
    } while (wished);
  };
  return () => {
    if (running) {
      wished = true;
    } else {
      running = run().finally(() => (running = null));
    }
    return running;
  };
}

// Calls back once, when there have been no calls for so long.
export function quiet(callback, millis) {
  let timer;
  const call = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => callback(...values), millis);
  };
  call.cancel = () => clearTimeout(timer);
  return call;
}
