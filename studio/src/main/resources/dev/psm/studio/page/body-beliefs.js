// What the agent's features can tell of a prompt: maps over two quantities, and angles to the named tasks.

import {post} from '/page/api.js';
import {colour, element, onTheme} from '/page/dom.js';

// Viridis at eight places.
const SCALE = [[68, 1, 84], [70, 50, 127], [54, 92, 141], [39, 127, 142], [31, 161, 135], [74, 194, 109], [159, 218, 58], [253, 231, 37]];
const HEIGHT = 200;

function shade(share) {
  const at = Math.max(0, Math.min(0.9999, share)) * (SCALE.length - 1);
  const i = Math.floor(at);
  return `rgb(${SCALE[i].map((from, k) => Math.round(from + (at - i) * (SCALE[i + 1][k] - from))).join(' ')})`;
}

// Without the outermost per cent on either side.
function range(values) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const low = sorted[Math.floor(0.01 * (sorted.length - 1))];
  const high = sorted[Math.ceil(0.99 * (sorted.length - 1))];
  return low < high ? [low, high] : [low - 0.5, low + 0.5];
}

const shown = (value) => Number(value.toPrecision(3)).toString();

function map(title, x, y, values, [low, high], names) {
  const canvas = element('canvas', {role: 'img', 'aria-label': `${title} over ${names.join(' and ')}`});
  const root = element('figure', {class: 'belief'},
    element('figcaption', {}, title), canvas,
    element('div', {class: 'scale', 'aria-hidden': 'true'}, element('span', {}, shown(low)), element('span', {class: 'ramp'}), element('span', {}, shown(high))));

  function draw() {
    const width = root.clientWidth;
    if (!width) {
      return;
    }
    const scale = devicePixelRatio;
    canvas.width = width * scale;
    canvas.height = HEIGHT * scale;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${HEIGHT}px`;
    const pen = canvas.getContext('2d');
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    const [left, right] = range(x);
    const [bottom, top] = range(y);
    const room = {left: 52, bottom: 30, top: 6, right: 6};
    const px = (value) => room.left + ((value - left) / (right - left)) * (width - room.left - room.right);
    const py = (value) => HEIGHT - room.bottom - ((value - bottom) / (top - bottom)) * (HEIGHT - room.bottom - room.top);
    pen.strokeStyle = colour('line');
    pen.strokeRect(room.left, room.top, width - room.left - room.right, HEIGHT - room.bottom - room.top);
    for (let i = 0; i < values.length; i++) {
      if (x[i] >= left && x[i] <= right && y[i] >= bottom && y[i] <= top) {
        pen.fillStyle = shade((values[i] - low) / (high - low));
        pen.fillRect(px(x[i]) - 1.5, py(y[i]) - 1.5, 3, 3);
      }
    }
    pen.fillStyle = colour('faint');
    pen.font = '11px system-ui, sans-serif';
    pen.textBaseline = 'bottom';
    pen.textAlign = 'left';
    pen.fillText(shown(left), room.left, HEIGHT - 15);
    pen.textAlign = 'right';
    pen.fillText(shown(right), width - room.right, HEIGHT - 15);
    pen.textAlign = 'center';
    pen.fillText(names[0], (room.left + width) / 2, HEIGHT - 2);
    pen.textAlign = 'right';
    pen.textBaseline = 'alphabetic';
    pen.fillText(shown(bottom), room.left - 4, HEIGHT - room.bottom);
    pen.fillText(shown(top), room.left - 4, room.top + 10);
    pen.save();
    pen.translate(10, (HEIGHT - room.bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = 'center';
    pen.fillText(names[1], 0, 0);
    pen.restore();
  }
  return {root, draw};
}

function cosines(list) {
  return element('figure', {class: 'cosines'},
    element('figcaption', {}, 'Cosine of this task vector with those of the tasks'),
    element('ul', {}, list.map(({task, cosine}) => element('li', {},
      element('span', {class: 'mono'}, task),
      element('span', {class: 'bar', 'aria-hidden': 'true'},
        element('span', {class: cosine < 0 ? 'below' : '', style: `left: ${50 + Math.min(0, 50 * cosine)}%; width: ${Math.abs(50 * cosine)}%`})),
      element('span', {class: 'number'}, cosine.toFixed(2))))));
}

// `prompt` gives what is asked now, a reward or a goal with its numbers, or null.
export function beliefs(body, prompt) {
  const names = body.quantities.map(({name}) => name);
  const [first, second] = body.plane ?? [names[0], names[1] ?? names[0]];
  const choice = (label, value) => element('label', {}, label,
    element('select', {onchange: later}, names.map((name) => element('option', {selected: name === value}, name))));
  const across = choice('across', first);
  const upward = choice('upward', second);
  const result = element('div', {class: 'beliefs', 'aria-live': 'polite'});
  const root = element('details', {class: 'panel', ontoggle: later},
    element('summary', {}, element('h2', {}, 'What the agent believes')),
    element('div', {class: 'axes'}, across, upward), result);
  let timer;
  let asking;
  let maps = [];
  const redraw = () => maps.forEach((each) => each.draw());
  const endTheme = onTheme(redraw);
  const seen = new ResizeObserver(redraw);
  seen.observe(result);

  function later() {
    clearTimeout(timer);
    if (root.open) {
      timer = setTimeout(tell, 300);
    }
  }

  async function tell() {
    const asked = prompt();
    if (!asked) {
      maps = [];
      result.replaceChildren(element('p', {class: 'note'}, 'Of a demonstration nothing can be told here: its task vector changes with every step.'));
      return;
    }
    asking?.abort();
    asking = new AbortController();
    const [x, y] = [across, upward].map((each) => each.querySelector('select').value);
    try {
      show(await post(`/api/bodies/${encodeURIComponent(body.id)}/beliefs`, {prompt: asked, x, y}, {signal: asking.signal}), [x, y]);
    } catch (error) {
      if (error.name !== 'AbortError') {
        maps = [];
        result.replaceChildren(element('p', {class: 'failed'}, error.message));
      }
    }
  }

  function show({x, y, reward, projected, correlation, cosines: angles}, axes) {
    maps = [];
    const told = [];
    const scale = range(reward ?? projected ?? [0, 1]);
    if (reward) {
      maps.push(map('True reward', x, y, reward, scale, axes));
    }
    if (projected) {
      maps.push(map(reward ? 'Projected reward φ(s)ᵀz' : 'φ(s)ᵀz of the goal', x, y, projected, scale, axes));
      told.push(element('p', {class: 'note'}, reward
        ? `In ${x.length.toLocaleString('en')} states of the agent’s sample. φ(s)ᵀz is what its features can tell of the reward, brought to the reward’s scale by least squares`
          + `${correlation === undefined ? '.' : `; correlation ${correlation.toFixed(2)}.`}`
        : `In ${x.length.toLocaleString('en')} states of the agent’s sample: how much their features are like the goal’s.`));
    } else {
      told.push(element('p', {class: 'note'}, 'This agent’s tasks are not vectors in the space of its features, so there is no projected reward.'));
    }
    result.replaceChildren(
      element('div', {class: 'maps'}, maps.map((each) => each.root)), ...told,
      ...(angles?.length ? [cosines(angles)] : []));
    redraw();
  }

  return {
    root,
    changed: later,
    end() {
      clearTimeout(timer);
      asking?.abort();
      endTheme();
      seen.disconnect();
    },
  };
}
