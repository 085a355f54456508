// Requests to the server. An error is an Error whose message can be shown as it is, with the server's answer as `answer`.

async function answer(response) {
  const text = await response.text();
  let document;
  try {
    document = text ? JSON.parse(text) : {};
  } catch {
    document = {error: text};
  }
  if (!response.ok) {
    const error = new Error(document.error ?? `the server answered ${response.status}`);
    error.status = response.status;
    error.answer = document;
    throw error;
  }
  return document;
}

export async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (cause) {
    if (cause.name === 'AbortError') {
      throw cause;
    }
    throw new Error('the server does not answer; is psm studio still running?', {cause});
  }
  return answer(response);
}

export const get = (path, options = {}) => ask(path, options);

export const post = (path, body, options = {}) =>
  ask(path, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body), ...options});

// A WebSocket that comes back by itself: `open` is called on every connection, with a function that sends, so that
// the caller can say again what it wants. Messages are parsed JSON or ArrayBuffers.
export function connect(path, {open, message, state = () => {}}) {
  let socket;
  let closed = false;
  let delay = 250;
  const send = (body) => {
    if (socket?.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify(body));
    }
  };
  const start = () => {
    socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      delay = 250;
      state('connected');
      open(send);
    };
    socket.onmessage = ({data}) => message(typeof data === 'string' ? JSON.parse(data) : data);
    socket.onclose = () => {
      if (!closed) {
        state('waiting');
        setTimeout(() => closed || start(), delay);
        delay = Math.min(4000, 2 * delay);
      }
    };
  };
  start();
  return {
    send,
    close() {
      closed = true;
      socket.close();
    },
  };
}
