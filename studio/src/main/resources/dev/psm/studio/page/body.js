// The view of bodies: a body obeys what is typed, beside its numbers.

import {get} from '/page/api.js';
import {beliefs} from '/page/body-beliefs.js';
import {promptPanel} from '/page/body-prompt.js';
import {stage} from '/page/body-scene.js';
import {openSession} from '/page/body-session.js';
import {copy, element, notice} from '/page/dom.js';
import {download, film} from '/page/film.js';
import {chart} from '/page/plots.js';
import {command, javaCode} from '/page/prompt-words.js';

const NAMES = ['A', 'B'];
const SHOVE_MILLISECONDS = 250;
const ORBIT = 0.09;

// What has a scale of its own goes into the lower chart: a reward's parts, and for a goal, which has no reward, φ(s)ᵀz.
const isBelow = ([first], {kind}) => kind === 'part' || (kind === 'projected' && first.kind !== 'reward');

export async function show(root, {path: [id], query}) {
  const bodies = (await get('/api/models')).models.filter(({kind}) => kind === 'body');
  if (!id) {
    choose(root, bodies);
    return () => {};
  }
  // The first time the agent must be read from its files.
  root.append(element('p', {class: 'waiting', role: 'status'}, `Loading ${id}…`));
  const body = await get(`/api/bodies/${encodeURIComponent(id)}`);
  const view = bodyView(body, bodies, query);
  root.replaceChildren(view.root);
  view.start();
  return view.end;
}

function choose(root, bodies) {
  root.append(
    element('h1', {}, 'Bodies'),
    element('p', {class: 'lead'}, bodies.length
      ? 'Choose an agent, write a reward, and watch it being obeyed.'
      : 'There is no agent with a body here. Start psm studio with the folder of one, such as models/walker-psm.'),
    element('ul', {class: 'cards'}, bodies.map((each) => element('li', {class: 'card'},
      element('h2', {}, element('a', {href: `#/body/${encodeURIComponent(each.id)}`}, each.id)),
      element('p', {}, `${each.title} · ${each.world}`),
      element('p', {class: 'note'}, each.worldTitle)))));
}

function bodyView(body, bodies, query) {
  const canvas = element('canvas', {class: 'stage', tabindex: 0, role: 'application',
    'aria-label': 'The body, seen by a camera. Arrow keys turn the camera, plus and minus zoom, Home resets it, Shift with arrow keys pushes the body, space pauses, R begins anew.',
    onkeydown: key, onkeyup: keyUp, onblur: () => scene?.shove()});
  const curtain = element('div', {class: 'curtain', role: 'status'}, 'Loading the agent…');
  const clocks = [element('span', {class: 'clock'}), element('span', {class: 'clock'})];
  const answered = element('span', {class: 'note answered', 'data-milliseconds': ''});
  const tasks = body.tasks.map(({name}) => name);
  let scene = null;
  let session = null;
  let active = 0;
  let recording = null;
  const asked = [];
  const goals = [];
  // Whether a lane's goal is the one that each episode draws.
  const drawn = [];
  const titles = [];
  const tracks = [];
  const solved = [];

  // The toolbar.
  const button = (text, label, onclick, more = {}) => element('button', {type: 'button', onclick, 'aria-label': label, title: label, ...more}, text);
  const pause = button('❚❚', 'Pause', () => play(!session.wanted.playing));
  const pair = button('A | B', 'Two policies side by side', () => lanes(session.wanted.lanes === 1 ? 2 : 1), {'aria-pressed': 'false'});
  const record = button('● Record', 'Record a film', toggleFilm);
  const speed = element('select', {'aria-label': 'Speed', onchange: () => session.speed(Number(speed.value))},
    [['0.25', '¼ ×'], ['0.5', '½ ×'], ['1', '1 ×'], ['2', '2 ×'], ['4', '4 ×']].map(([value, text]) => element('option', {value, selected: value === '1'}, text)));
  const shoves = [['←', 'Push to the left', -1, 0], ['↑', 'Push upward', 0, 1], ['→', 'Push to the right', 1, 0]].map(([text, label, right, up]) =>
    button(text, label, () => {
      scene.shove(active, right, up);
      setTimeout(() => scene?.shove(), SHOVE_MILLISECONDS);
    }));
  const toolbar = element('div', {class: 'toolbar', role: 'toolbar', 'aria-label': 'Time, pushes and film'},
    pause, button('↺', 'Begin anew', () => session.reset()), speed, pair,
    element('span', {class: 'group', role: 'group', 'aria-label': 'Push'}, element('span', {class: 'note'}, 'push'), shoves), record, answered);

  const plots = NAMES.map(() => [chart('Reward'), chart('Parts of the reward', 100)]);
  const plotPlaces = plots.map((pair) => element('div', {class: 'plots'}, pair.map(({root}) => root)));

  const prompts = NAMES.map((name, lane) => promptPanel(lane, body, {
    text: lane === 0 ? first() : second(),
    ask: (prompt) => ask(lane, prompt),
    preview: (prompt) => session.preview(lane, prompt),
    posture: () => session.posture(lane),
  }));
  const laneTabs = element('div', {class: 'lanes row', role: 'group', 'aria-label': 'Which policy is told', hidden: true},
    NAMES.map((name, lane) => element('button', {type: 'button', class: `lane-${lane}`, 'aria-pressed': String(lane === 0), onclick: () => tell(lane)}, `Policy ${name}`)));

  const told = beliefs(body, () => {
    const prompt = asked[active];
    return prompt?.kind === 'reward' && !drawn[active] ? {kind: 'reward', text: prompt.text}
      : goals[active] ? {kind: 'goal', numbers: goals[active]} : null;
  });

  const copies = element('div', {class: 'row'},
    element('button', {type: 'button', onclick: () => words((prompt, goal) => command(body, prompt, goal, tasks), 'Command')}, 'Copy as command'),
    element('button', {type: 'button', onclick: () => words((prompt, goal) => javaCode(body, prompt, goal, drawn[active]), 'Java')}, 'Copy as Java'));

  const other = bodies.length > 1
    ? element('label', {}, 'Agent', element('select', {onchange: ({target}) => (location.hash = `#/body/${encodeURIComponent(target.value)}`)},
      bodies.map((each) => element('option', {value: each.id, selected: each.id === body.id}, each.id))))
    : null;

  const root = element('div', {class: 'body-view'},
    element('div', {class: 'row spread'},
      element('div', {}, element('h1', {}, body.id), element('p', {class: 'lead'}, `${body.agent} · ${body.world}: ${body.worldTitle}`)), other),
    element('div', {class: 'columns'},
      element('div', {},
        element('section', {class: 'panel stage-panel', 'aria-label': 'Body'},
          element('div', {class: 'stage-frame'}, canvas, curtain, element('div', {class: 'clocks', 'aria-hidden': 'true'}, clocks)), toolbar),
        element('section', {class: 'panel numbers-panel', 'aria-label': 'Numbers'}, plotPlaces)),
      element('div', {},
        element('section', {class: 'panel prompt-panel', 'aria-label': 'Prompt'},
          element('h2', {}, 'What should it do?'), laneTabs, prompts.map(({root}) => root), copies),
        told.root)));

  function first() {
    return query.get('reward') ?? (body.goal.length && tasks[0]) ?? '';
  }

  function second() {
    return query.get('other') ?? tasks.find((task) => task !== first()) ?? body.examples[0] ?? '';
  }

  function ask(lane, prompt) {
    asked[lane] = prompt;
    goals[lane] = null;
    drawn[lane] = false;
    session.prompt(lane, prompt);
    remember();
  }

  // So that the address leads back to what is on the page.
  function remember() {
    const kept = new URLSearchParams();
    ['reward', 'other'].slice(0, session.wanted.lanes).forEach((name, lane) =>
      asked[lane]?.kind === 'reward' && kept.set(name, asked[lane].text));
    history.replaceState(null, '', `#/body/${encodeURIComponent(body.id)}${kept.size ? `?${kept}` : ''}`);
  }

  function tell(lane) {
    active = lane;
    laneTabs.querySelectorAll('button').forEach((each, i) => each.setAttribute('aria-pressed', String(i === lane)));
    prompts.forEach((each, i) => (each.root.hidden = i !== lane));
    told.changed();
  }

  function lanes(count) {
    pair.setAttribute('aria-pressed', String(count === 2));
    clocks[1].textContent = '';
    laneTabs.hidden = count === 1;
    root.dataset.lanes = count;
    plotPlaces[1].hidden = count === 1;
    scene?.lanes(count);
    session.lanes(count);
    plots.forEach((each, lane) => entitle(lane));
    if (count === 2 && !asked[1]) {
      prompts[1].editor.set(prompts[1].editor.text());
    }
    tell(count - 1);
    if (asked[0]) {
      remember();
    }
  }

  function entitle(lane) {
    const whose = session.wanted.lanes === 2 ? ` of ${NAMES[lane]}` : '';
    const isReward = tracks[lane]?.[0]?.kind === 'reward';
    plots[lane][0].title(`${isReward ? 'Reward' : 'On the way to the goal'}${whose}`);
    plots[lane][1].title(`${isReward ? 'Parts of the reward' : 'What the features see of the goal'}${whose}`);
  }

  function play(playing) {
    session.play(playing);
    pause.textContent = playing ? '❚❚' : '▶';
    pause.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    pause.title = playing ? 'Pause' : 'Play';
  }

  function key(event) {
    const arrow = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
    if (arrow && event.shiftKey) {
      scene.shove(active, ...arrow);
    } else if (arrow) {
      scene.orbit(ORBIT * arrow[0], ORBIT * arrow[1], 1);
    } else if (event.key === '+' || event.key === '=') {
      scene.orbit(0, 0, 0.9);
    } else if (event.key === '-') {
      scene.orbit(0, 0, 1.1);
    } else if (event.key === 'Home') {
      scene.home();
    } else if (event.key === ' ') {
      play(!session.wanted.playing);
    } else if (event.key.toLowerCase() === 'r' && !event.ctrlKey && !event.metaKey) {
      session.reset();
    } else {
      return;
    }
    event.preventDefault();
  }

  function keyUp(event) {
    if (event.key.startsWith('Arrow') || event.key === 'Shift') {
      scene?.shove();
    }
  }

  async function toggleFilm() {
    if (!recording) {
      recording = film(canvas);
      record.textContent = '■ Stop';
      record.setAttribute('aria-label', 'Stop recording');
      record.classList.add('recording');
      return;
    }
    const ended = recording;
    recording = null;
    record.textContent = '● Record';
    record.setAttribute('aria-label', 'Record a film');
    record.classList.remove('recording');
    const blob = await ended.stop();
    root.dataset.film = blob.size;
    download(blob, `${body.id}.webm`);
    notice(`${body.id}.webm: ${(blob.size / 1024).toFixed(0)} KB`);
  }

  async function words(write, what) {
    const prompt = asked[active];
    if (!prompt || (prompt.kind !== 'reward' && prompt.kind !== 'demonstration' && !goals[active])) {
      notice('There is nothing to copy yet: ask for something first.', 'error');
      return;
    }
    await copy(write(prompt, goals[active]), what);
  }

  function hide(text, failed = false) {
    curtain.hidden = !text;
    // Said once, however often it is meant.
    if (curtain.textContent !== text) {
      curtain.textContent = text;
    }
    curtain.classList.toggle('failed', failed);
  }

  const on = {
    frame(frame) {
      scene.update(frame);
      if (!curtain.hidden && scene.ready) {
        hide(scene.bare ? 'This world has nothing to draw; its numbers are below.' : '');
      }
      frame.lanes.forEach((lane, i) => {
        clocks[i].textContent = `${(lane.elapsed * body.stepSeconds).toFixed(1)} s  ${titles[i] ?? ''}`;
        add(i, lane);
      });
      root.dataset.stacked = canvas.clientWidth < canvas.clientHeight;
      root.dataset.elapsed = frame.lanes[0]?.elapsed;
      root.dataset.episode = frame.lanes[0]?.episode;
      root.dataset.x = frame.lanes[0]?.focus[0].toFixed(3);
      root.dataset.pushed = frame.lanes.some(({pushed}) => pushed);
    },
    scene(message) {
      scene.bare = !scene.dress(message);
      scene.ready = true;
    },
    policy(message) {
      titles[message.lane] = message.title;
      solved[message.lane] = message.milliseconds;
      goals[message.lane] = message.goal ?? null;
      drawn[message.lane] = message.drawn;
      if (message.warning) {
        // It stays, as an error would: what the body does now means little.
        notice(message.warning, 'error');
      }
      tracks[message.lane] = message.tracks;
      entitle(message.lane);
      const [main, parts] = plots[message.lane];
      main.lines(message.tracks.filter((track) => !isBelow(message.tracks, track)).map((track, i) =>
        ({name: track.unit ? `${track.name}, ${track.unit}` : track.name, dashed: track.kind === 'projected', wide: i === 0, colour: `series-${i + 1}`})));
      const some = message.tracks.filter((track) => isBelow(message.tracks, track));
      parts.root.hidden = !some.length;
      parts.lines(some.map((track, i) => ({name: track.name, colour: `series-${1 + ((i + 2) % 6)}`})));
      told.changed();
    },
    obeyed(lane, milliseconds) {
      answered.textContent = `obeyed in ${Math.round(milliseconds)} ms`;
      answered.title = `solved in ${Math.round(solved[lane])} ms, then sent, stepped and shown`;
      answered.dataset.milliseconds = Math.round(milliseconds);
      answered.dataset.count = 1 + Number(answered.dataset.count ?? 0);
    },
    previewed: (message) => prompts[message.lane].goals.previewed(message),
    posture: ({lane, pose}) => prompts[lane].goals.posture(pose),
    failed(message) {
      if (message.about === 'prompt') {
        prompts[message.lane].failed(message);
        // What it obeys still is what there is to copy.
        asked[message.lane] = session.wanted.prompts[message.lane];
      } else {
        notice(message.message, 'error');
        if (message.about === 'step') {
          play(false);
        }
      }
    },
    note: ({text}) => notice(text),
    end: (message) => hide(message, true),
    loading: () => hide('Loading the agent…'),
    state(state) {
      root.dataset.connection = state;
      if (state === 'waiting') {
        hide('The server does not answer. This page goes on by itself as soon as it is back.');
      }
    },
  };
  function add(lane, {values}) {
    const known = tracks[lane];
    if (!known || values.length !== known.length) {
      return;
    }
    const [main, parts] = plots[lane];
    main.add([...values].filter((each, i) => !isBelow(known, known[i])));
    parts.add([...values].filter((each, i) => isBelow(known, known[i])));
  }

  const seen = () => session?.rest(document.hidden);

  return {
    root,
    start() {
      scene = stage(canvas, {
        push: (lane, shape, point, force) => session.push(lane, shape, point, force),
        release: (lane) => session.release(lane),
      });
      session = openSession(body.id, on);
      root.dataset.lanes = 1;
      plotPlaces[1].hidden = true;
      tell(0);
      const text = prompts[0].editor.text();
      prompts[0].editor.set(text || body.examples[0] || tasks[0] || body.quantities[0]?.name || '');
      if (query.has('other')) {
        lanes(2);
      }
      document.addEventListener('visibilitychange', seen);
    },
    end() {
      document.removeEventListener('visibilitychange', seen);
      recording?.stop();
      session?.close();
      scene?.end();
      told.end();
      prompts.forEach((each) => each.end());
      plots.flat().forEach((each) => each.end());
    },
  };
}
