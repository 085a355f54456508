// Draws a grid on a canvas: values as colours, rewards as rings, actions as arrows, red where they are not optimal.

import {colour} from '/page/dom.js';

const VIRIDIS = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129],
  [92, 200, 99], [170, 220, 50], [253, 231, 37]];
const ARROW = [[0, -0.34], [0.24, -0.02], [0.085, -0.02], [0.085, 0.34], [-0.085, 0.34], [-0.085, -0.02], [-0.24, -0.02]];

export function viridis(share) {
  const place = Math.max(0, Math.min(1, share)) * (VIRIDIS.length - 1);
  const low = Math.min(VIRIDIS.length - 2, Math.floor(place));
  const mixed = VIRIDIS[low].map((from, i) => Math.round(from + (VIRIDIS[low + 1][i] - from) * (place - low)));
  return `rgb(${mixed.join(' ')})`;
}

// Blue below zero, orange above; white is zero.
function diverging(share) {
  const end = share < 0 ? [33, 102, 172] : [200, 80, 20];
  const weight = Math.min(1, Math.abs(share));
  return `rgb(${end.map((to) => Math.round(247 + (to - 247) * weight)).join(' ')})`;
}

export function range(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

// Gives the canvas as many pixels as it has room for, and says how large a cell is.
export function fit(canvas, map, width, height) {
  const cell = Math.max(2, Math.floor(Math.min(width / map.width, height / map.height)));
  const ratio = devicePixelRatio || 1;
  const pixels = [cell * map.width, cell * map.height];
  if (canvas.width !== pixels[0] * ratio || canvas.height !== pixels[1] * ratio) {
    [canvas.width, canvas.height] = pixels.map((each) => Math.round(each * ratio));
    [canvas.style.width, canvas.style.height] = pixels.map((each) => `${each}px`);
  }
  const pen = canvas.getContext('2d');
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return {pen, cell};
}

// `values` may be missing; `signed` colours them around zero, `limits` are those of the colours, and `root` spreads small ones.
export function drawGrid(canvas, map, {values, limits, signed, root, actions, wrong, rewards, path, start, cursor, mark, width, height}) {
  const {pen, cell} = fit(canvas, map, width, height);
  const [low, high] = limits ?? (values ? range(values) : [0, 1]);
  const largest = Math.max(Math.abs(low), Math.abs(high)) || 1;
  const wall = colour('wall');
  const empty = colour('raised');
  const line = colour('line');
  pen.clearRect(0, 0, canvas.width, canvas.height);
  map.states.forEach((row, r) => row.forEach((state, c) => {
    pen.fillStyle = state < 0 ? wall
      : !values ? empty
        : signed ? diverging(values[state] / largest)
          : viridis(high > low ? ((values[state] - low) / (high - low)) ** (root ? 0.5 : 1) : 0.5);
    pen.fillRect(c * cell, r * cell, cell, cell);
    if (state >= 0 && !values) {
      pen.strokeStyle = line;
      pen.strokeRect(c * cell + 0.5, r * cell + 0.5, cell - 1, cell - 1);
    }
  }));
  if (actions && cell >= 7) {
    map.cells.forEach(([r, c], state) =>
      arrow(pen, actions[state], wrong?.[state], (c + 0.5) * cell, (r + 0.5) * cell, cell));
  }
  if (rewards) {
    drawRewards(pen, map, rewards, cell);
  }
  if (path?.length) {
    drawPath(pen, map, path, cell);
  }
  if (start >= 0) {
    letter(pen, map, start, cell, 'S', '#0b57d0', '#ffffff');
  }
  if (mark >= 0) {
    const [r, c] = map.cells[mark];
    pen.lineWidth = Math.max(2, cell * 0.12);
    pen.strokeStyle = '#ff2d87';
    pen.strokeRect(c * cell + 1, r * cell + 1, cell - 2, cell - 2);
  }
  if (cursor) {
    pen.setLineDash([4, 3]);
    for (const [shade, wide] of [['#000000', 4], ['#ffffff', 2]]) {
      pen.lineWidth = wide;
      pen.strokeStyle = shade;
      pen.strokeRect(cursor[1] * cell + 1.5, cursor[0] * cell + 1.5, cell - 3, cell - 3);
    }
    pen.setLineDash([]);
  }
  return cell;
}

// Light on dark, or red on light: told apart by lightness alone, as in the reports.
function arrow(pen, action, isWrong, x, y, cell) {
  pen.fillStyle = isWrong ? '#c1002b' : '#ffffff';
  pen.strokeStyle = isWrong ? '#ffffff' : '#14213d';
  pen.lineWidth = Math.max(1, cell * 0.08);
  pen.lineJoin = 'round';
  pen.beginPath();
  if (action === 4) {
    pen.arc(x, y, cell * 0.15, 0, 2 * Math.PI);
  } else {
    const turn = (action * Math.PI) / 2;
    for (const [dx, dy] of ARROW) {
      pen.lineTo(x + (dx * Math.cos(turn) - dy * Math.sin(turn)) * cell, y + (dx * Math.sin(turn) + dy * Math.cos(turn)) * cell);
    }
    pen.closePath();
  }
  pen.stroke();
  pen.fill();
}

function drawRewards(pen, map, rewards, cell) {
  const largest = Math.max(...range(rewards).map(Math.abs));
  if (!largest) {
    return;
  }
  map.cells.forEach(([r, c], state) => {
    if (rewards[state] === 0) {
      return;
    }
    const share = Math.abs(rewards[state]) / largest;
    const wide = Math.max(1.5, cell * (0.04 + 0.08 * share));
    pen.lineWidth = wide;
    pen.globalAlpha = 0.35 + 0.65 * share;
    pen.strokeStyle = rewards[state] > 0 ? '#22e06b' : '#ff3b5c';
    pen.strokeRect(c * cell + wide / 2 + 0.5, r * cell + wide / 2 + 0.5, cell - wide - 1, cell - wide - 1);
    pen.globalAlpha = 1;
    if (cell >= 38) {
      label(pen, number(rewards[state]), c * cell + cell - wide - 3, r * cell + wide + 3);
    }
  });
}

export const number = (value) => {
  const text = Math.abs(value) >= 1000 || (value && Math.abs(value) < 0.01) ? value.toExponential(1) : String(+value.toFixed(2));
  return text.replace('-', '−');
};

function label(pen, text, x, y) {
  pen.font = '600 10px system-ui, "DejaVu Sans", sans-serif';
  pen.textAlign = 'right';
  pen.textBaseline = 'top';
  pen.lineWidth = 3;
  pen.strokeStyle = 'rgb(0 0 0 / 75%)';
  pen.strokeText(text, x, y);
  pen.fillStyle = '#ffffff';
  pen.fillText(text, x, y);
}

function drawPath(pen, map, path, cell) {
  const points = path.map((state) => [(map.cells[state][1] + 0.5) * cell, (map.cells[state][0] + 0.5) * cell]);
  for (const [shade, wide] of [['rgb(0 0 0 / 65%)', cell * 0.14 + 2], ['#ffb020', cell * 0.14]]) {
    pen.beginPath();
    points.forEach(([x, y]) => pen.lineTo(x, y));
    pen.lineWidth = wide;
    pen.lineJoin = 'round';
    pen.lineCap = 'round';
    pen.strokeStyle = shade;
    pen.stroke();
  }
  const [x, y] = points.at(-1);
  pen.beginPath();
  pen.arc(x, y, cell * 0.22, 0, 2 * Math.PI);
  pen.fillStyle = '#ffb020';
  pen.fill();
  pen.lineWidth = 1.5;
  pen.strokeStyle = '#1b1300';
  pen.stroke();
}

function letter(pen, map, state, cell, text, ground, ink) {
  const [r, c] = map.cells[state];
  const [x, y] = [(c + 0.5) * cell, (r + 0.5) * cell];
  pen.beginPath();
  pen.arc(x, y, cell * 0.3, 0, 2 * Math.PI);
  pen.fillStyle = ground;
  pen.fill();
  pen.lineWidth = 1.5;
  pen.strokeStyle = ink;
  pen.stroke();
  if (cell >= 14) {
    pen.font = `700 ${Math.round(cell * 0.36)}px system-ui, "DejaVu Sans", sans-serif`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillStyle = ink;
    pen.fillText(text, x, y + 1);
  }
}
