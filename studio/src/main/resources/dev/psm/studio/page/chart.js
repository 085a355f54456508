// A line chart as SVG: several series over the same steps, with a legend outside of it, values where the pointer is
// (or where the arrow keys move), and a logarithmic scale where asked.

const NS = 'http://www.w3.org/2000/svg';
const WIDTH = 440;
const HEIGHT = 230;
const ROOM = {left: 58, right: 14, top: 12, bottom: 34};
const BUCKETS = 400;

function shape(name, attributes, text) {
  const made = document.createElementNS(NS, name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}

export function short(value) {
  const size = Math.abs(value);
  if (size >= 1e6) {
    return `${+(value / 1e6).toPrecision(3)}M`;
  }
  if (size >= 1e4) {
    return `${+(value / 1e3).toPrecision(3)}k`;
  }
  return size !== 0 && size < 1e-3 ? value.toExponential(1) : String(+value.toPrecision(4));
}

function ticks(low, high, count = 5) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) {
    found.push(Math.abs(tick) < step * 1e-9 ? 0 : tick);
  }
  return found;
}

function logTicks(low, high) {
  const found = [];
  const every = Math.max(1, Math.ceil((high - low) / 6));
  for (let power = Math.ceil(low); power <= high; power += every) {
    found.push(power);
  }
  return found.length > 1 ? found : [low, high];
}

// The lowest and the highest point of each of some hundred stretches: what a curve of any length looks like.
export function thinned(points) {
  if (points.length <= 4 * BUCKETS) {
    return points;
  }
  const kept = [];
  const size = points.length / BUCKETS;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const part = points.slice(Math.floor(bucket * size), Math.floor((bucket + 1) * size));
    const low = part.reduce((a, b) => (b[1] < a[1] ? b : a));
    const high = part.reduce((a, b) => (b[1] > a[1] ? b : a));
    kept.push(...(low[0] < high[0] ? [low, high] : [high, low]));
  }
  return kept;
}

export class LineChart {
  constructor(title) {
    this.title = title;
    this.svg = shape('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'chart', role: 'img', tabindex: 0});
    this.tip = document.createElement('div');
    this.tip.className = 'tip';
    this.tip.hidden = true;
    this.element = document.createElement('div');
    this.element.className = 'chart-place';
    this.element.append(this.svg, this.tip);
    this.svg.addEventListener('pointermove', (event) => {
      const box = this.svg.getBoundingClientRect();
      this.point(((event.clientX - box.left) / box.width) * WIDTH);
    });
    this.svg.addEventListener('pointerleave', () => this.point(null));
    this.svg.addEventListener('blur', () => this.point(null));
    this.svg.addEventListener('keydown', (event) => {
      const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (by) {
        event.preventDefault();
        this.point((this.at ?? WIDTH / 2) + by * 8);
      }
    });
  }

  // series: [{label, colour, points: [[x, y]], thin}]; those that are thin are not told where the pointer is.
  draw(series, {log = false} = {}) {
    this.log = log;
    this.series = series.map((one) => ({
      ...one, drawn: thinned(one.points.filter(([, y]) => Number.isFinite(y) && (!log || y > 0))),
    }));
    const all = this.series.flatMap(({drawn}) => drawn);
    this.svg.replaceChildren();
    this.svg.setAttribute('aria-label', all.length ? `${this.title}: ${this.spoken()}` : `${this.title}: nothing to draw yet`);
    if (!all.length) {
      this.svg.append(shape('text', {x: WIDTH / 2, y: HEIGHT / 2, 'text-anchor': 'middle', class: 'tick'},
        log && series.some(({points}) => points.length) ? 'no positive values for a logarithmic scale' : 'nothing logged yet'));
      this.scale = null;
      return;
    }
    let [left, right, low, high] = [0, 1, Infinity, -Infinity];
    for (const [x, y] of all) {
      right = Math.max(right, x);
      const value = log ? Math.log10(y) : y;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    const spare = high > low ? (high - low) * 0.05 : Math.abs(high) * 0.1 || 1;
    const positive = !log && low >= 0;
    [low, high] = [positive && low < (high - low) ? 0 : low - spare, high + spare];
    this.scale = {
      x: (value) => ROOM.left + ((value - left) / (right - left)) * (WIDTH - ROOM.left - ROOM.right),
      y: (value) => HEIGHT - ROOM.bottom - (((log ? Math.log10(value) : value) - low) / (high - low)) * (HEIGHT - ROOM.top - ROOM.bottom),
      step: (x) => left + ((x - ROOM.left) / (WIDTH - ROOM.left - ROOM.right)) * (right - left),
    };
    for (const tick of log ? logTicks(low, high) : ticks(low, high)) {
      const y = this.scale.y(log ? 10 ** tick : tick);
      this.svg.append(shape('line', {x1: ROOM.left, x2: WIDTH - ROOM.right, y1: y, y2: y, class: 'gridline'}),
        shape('text', {x: ROOM.left - 6, y: y + 4, 'text-anchor': 'end', class: 'tick'}, short(log ? 10 ** tick : tick)));
    }
    for (const tick of ticks(left, right)) {
      this.svg.append(shape('text', {x: this.scale.x(tick), y: HEIGHT - ROOM.bottom + 16, 'text-anchor': 'middle', class: 'tick'}, short(tick)));
    }
    this.svg.append(shape('text', {x: WIDTH - ROOM.right, y: HEIGHT - 3, 'text-anchor': 'end', class: 'tick'}, 'gradient steps'));
    for (const {drawn, colour, thin} of this.series) {
      const path = drawn.map(([x, y], i) => `${i ? 'L' : 'M'}${this.scale.x(x).toFixed(1)} ${this.scale.y(y).toFixed(1)}`).join('');
      this.svg.append(shape('path', {d: path, class: thin ? 'curve thin' : 'curve', style: `stroke: ${colour}`}));
      if (drawn.length < 25) {
        drawn.forEach(([x, y]) => this.svg.append(shape('circle', {
          cx: this.scale.x(x), cy: this.scale.y(y), r: thin ? 1.8 : 2.6, style: `fill: ${colour}`, opacity: thin ? 0.5 : 1})));
      }
    }
    this.hair = shape('line', {y1: ROOM.top, y2: HEIGHT - ROOM.bottom, class: 'hair', visibility: 'hidden'});
    this.svg.append(this.hair);
    this.point(this.at ?? null);
  }

  spoken() {
    return this.series.filter(({thin, drawn}) => !thin && drawn.length)
      .map(({label, drawn}) => `${label} ${short(drawn.at(-1)[1])} at step ${drawn.at(-1)[0]}`).join('; ');
  }

  // The values nearest to a place, beside it.
  point(x) {
    const inside = x !== null && this.scale && x >= ROOM.left - 4 && x <= WIDTH - ROOM.right + 4;
    this.at = inside ? x : undefined;
    this.tip.hidden = !inside;
    this.hair?.setAttribute('visibility', inside ? 'visible' : 'hidden');
    if (!inside) {
      return;
    }
    const step = this.scale.step(x);
    const near = this.series.filter(({thin, points}) => !thin && points.length)
      .map((one) => ({...one, nearest: nearest(one.points, step)}));
    if (!near.length) {
      return;
    }
    const at = near.reduce((a, b) => (Math.abs(b.nearest[0] - step) < Math.abs(a.nearest[0] - step) ? b : a)).nearest[0];
    const place = this.scale.x(at);
    this.hair.setAttribute('x1', place);
    this.hair.setAttribute('x2', place);
    this.tip.replaceChildren(`step ${at}`, ...near.map(({label, colour, nearest: [, y]}) => {
      const line = document.createElement('div');
      const swatch = document.createElement('i');
      swatch.style.background = colour;
      line.append(swatch, `${label}: ${short(y)}`);
      return line;
    }));
    this.tip.style.left = `${(place / WIDTH) * 100}%`;
    this.tip.classList.toggle('before', place > WIDTH * 0.6);
  }
}

function nearest(points, step) {
  let [low, high] = [0, points.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (points[middle][0] <= step) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return Math.abs(points[low][0] - step) <= Math.abs(points[high][0] - step) ? points[low] : points[high];
}
