// The connection to the thread that steps the bodies. It knows what was asked, and asks again whenever the server comes back.

import {connect, ask} from '/page/api.js';

// Where everything is after a step: see dev.psm.studio.body.Frame.
export function readFrame(buffer) {
  const numbers = new Float32Array(buffer);
  let at = 0;
  const next = () => numbers[at++];
  const some = (count) => numbers.subarray(at, (at += count));
  next();
  const frame = {dropped: next(), lanes: []};
  const count = next();
  for (let i = 0; i < count; i++) {
    frame.lanes.push({
      prompt: next(),
      elapsed: next(),
      episode: next(),
      total: next(),
      pushed: next() === 1,
      focus: some(3),
      values: some(next()),
      shapes: some(7 * next()),
      ghost: some(7 * next()),
    });
  }
  return frame;
}

export function upload(id, file) {
  return ask(`/api/bodies/${encodeURIComponent(id)}/demonstrations?name=${encodeURIComponent(file.name)}`,
    {method: 'POST', body: file});
}

// `on` has functions for what the server says: frame, scene, policy, obeyed, previewed, posture, failed, note, end, state.
export function openSession(id, on) {
  const wanted = {lanes: 1, playing: true, speed: 1, prompts: []};
  const asked = new Map();
  const obeyed = [];
  const last = [];
  let numbers = 0;
  let over = false;

  const connection = connect(`/api/bodies/${encodeURIComponent(id)}/session`, {
    open() {
      asked.clear();
      last.length = 0;
      send({type: 'lanes', count: wanted.lanes});
      send({type: 'speed', factor: wanted.speed});
      send({type: 'play', playing: wanted.playing});
      wanted.prompts.slice(0, wanted.lanes).forEach((prompt, lane) => prompt && say(lane, prompt, true));
    },
    message: (data) => (data instanceof ArrayBuffer ? frame(readFrame(data)) : hear(data)),
    state: (state) => over || on.state(state),
  });
  const send = (message) => connection.send(message);

  async function say(lane, prompt, anew = false) {
    const number = ++numbers;
    let body = prompt;
    if (prompt.kind === 'demonstration') {
      try {
        if (anew || !prompt.upload) {
          prompt.upload = (await upload(id, prompt.file)).upload;
        }
      } catch (error) {
        fail(lane, prompt, {about: 'prompt', lane, message: error.message});
        return;
      }
      // A file takes its time, in which something else may have been asked.
      if (wanted.prompts[lane] !== prompt) {
        return;
      }
      body = {kind: prompt.kind, upload: prompt.upload, window: prompt.window};
    }
    asked.set(number, {lane, prompt, at: performance.now()});
    send({type: 'prompt', lane, id: number, prompt: body});
  }

  function frame(frame) {
    frame.lanes.forEach((lane, i) => {
      const before = last[i];
      const waiting = asked.get(lane.prompt);
      // The first step by the new policy, rather than the first frame that knows of it.
      if (waiting && before?.prompt === lane.prompt && before.elapsed !== lane.elapsed) {
        asked.delete(lane.prompt);
        on.obeyed(i, performance.now() - waiting.at);
      }
      last[i] = {prompt: lane.prompt, elapsed: lane.elapsed};
    });
    on.frame(frame);
  }

  function fail(lane, prompt, message) {
    // Of what something else has been asked since, nobody wants to know.
    if (wanted.prompts[lane] === prompt) {
      // What cannot be obeyed is not asked again when the server comes back.
      wanted.prompts[lane] = obeyed[lane] ?? prompt;
      on.failed(message);
    }
  }

  function hear(message) {
    if (message.type === 'error') {
      const waiting = asked.get(message.id);
      asked.delete(message.id);
      waiting ? fail(waiting.lane, waiting.prompt, message) : on.failed(message);
    } else if (message.type === 'end') {
      over = true;
      connection.close();
      on.end(message.message);
    } else {
      if (message.type === 'policy') {
        obeyed[message.lane] = asked.get(message.id)?.prompt;
      }
      on[message.type]?.(message);
    }
  }

  return {
    wanted,
    prompt(lane, prompt) {
      wanted.prompts[lane] = prompt;
      if (lane < wanted.lanes) {
        say(lane, prompt);
      }
    },
    lanes(count) {
      wanted.lanes = count;
      send({type: 'lanes', count});
      wanted.prompts.slice(0, count).forEach((prompt, lane) => prompt && say(lane, prompt));
    },
    play(playing) {
      wanted.playing = playing;
      send({type: 'play', playing});
    },
    // Nobody looks at a hidden page, so nothing need be computed for it.
    rest(hidden) {
      if (wanted.playing) {
        send({type: 'play', playing: !hidden});
      }
    },
    speed(factor) {
      wanted.speed = factor;
      send({type: 'speed', factor});
    },
    reset: () => send({type: 'reset'}),
    push: (lane, shape, point, force) => send({type: 'push', lane, shape, point, force}),
    release: (lane) => send({type: 'release', lane}),
    preview: (lane, prompt) => send(prompt ? {type: 'preview', lane, prompt} : {type: 'preview', lane}),
    posture: (lane) => send({type: 'posture', lane}),
    close: () => {
      over = true;
      connection.close();
    },
  };
}
