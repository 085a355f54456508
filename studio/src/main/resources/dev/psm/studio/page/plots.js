// Lines over the last seconds, drawn as they come.

import {colour, element, onTheme} from '/page/dom.js';

const SERIES = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'];
const KEPT = 500;

const shown = (value) => (Number.isFinite(value) ? value.toPrecision(3).replace(/\.?0+$/, '') : 'none');

// A chart with a legend; `lines` says what is plotted, `add` brings a value for each of them.
export function chart(title, height = 120) {
  const canvas = element('canvas', {role: 'img', 'aria-label': title});
  const legend = element('ul', {class: 'legend'});
  const caption = element('figcaption', {}, title);
  const root = element('figure', {class: 'plot'}, caption, canvas, legend);
  let lines = [];
  let values = [];
  let labels = [];
  let waiting = false;
  const endTheme = onTheme(() => {
    legend.replaceChildren();
    name();
    later();
  });
  const seen = new ResizeObserver(later);
  seen.observe(root);

  function name() {
    labels = lines.map((line, i) => {
      const value = element('output', {'aria-live': 'off'});
      const dash = line.dashed ? 'dashed' : 'solid';
      legend.append(element('li', {},
        element('span', {class: 'swatch', style: `border-top: 3px ${dash} ${paint(line, i)}`}),
        element('span', {class: 'legend-name', title: line.name}, line.name), value));
      return value;
    });
  }

  function later() {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        draw();
      });
    }
  }

  const paint = (line, i) => colour(line.colour ?? SERIES[i % SERIES.length]);

  function draw() {
    const width = root.clientWidth;
    if (!width || !lines.length) {
      return;
    }
    const scale = devicePixelRatio;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const pen = canvas.getContext('2d');
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    const [low, high] = range();
    pen.font = '11px system-ui, sans-serif';
    const ticks = [low, (low + high) / 2, high];
    const left = 10 + Math.max(...ticks.map((tick) => pen.measureText(shown(tick)).width));
    const y = (value) => height - 8 - ((value - low) / (high - low)) * (height - 16);
    const x = (i) => left + (i / (KEPT - 1)) * (width - left - 4);
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    for (const tick of ticks) {
      pen.fillStyle = colour('faint');
      pen.fillText(shown(tick), left - 6, y(tick));
      pen.strokeStyle = colour('line');
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(left, Math.round(y(tick)) + 0.5);
      pen.lineTo(width - 4, Math.round(y(tick)) + 0.5);
      pen.stroke();
    }
    lines.forEach((line, i) => {
      pen.strokeStyle = paint(line, i);
      pen.lineWidth = line.wide ? 2.2 : 1.5;
      pen.setLineDash(line.dashed ? [5, 4] : []);
      pen.beginPath();
      let drawing = false;
      values[i].forEach((value, k) => {
        if (!Number.isFinite(value)) {
          drawing = false;
          return;
        }
        const place = [x(KEPT - values[i].length + k), y(value)];
        drawing ? pen.lineTo(...place) : pen.moveTo(...place);
        drawing = true;
      });
      pen.stroke();
      labels[i].textContent = shown(values[i].at(-1));
    });
    pen.setLineDash([]);
  }

  function range() {
    let low = Infinity;
    let high = -Infinity;
    for (const line of values) {
      for (const value of line) {
        if (Number.isFinite(value)) {
          low = Math.min(low, value);
          high = Math.max(high, value);
        }
      }
    }
    if (low > high) {
      return [0, 1];
    }
    const room = high - low || Math.abs(high) || 1;
    return high === low ? [low - room / 2, high + room / 2] : [low, high];
  }

  return {
    root,
    title(text) {
      caption.textContent = text;
      canvas.setAttribute('aria-label', text);
    },
    lines(wanted) {
      lines = wanted;
      values = wanted.map(() => []);
      legend.replaceChildren();
      name();
      later();
    },
    add(numbers) {
      numbers.forEach((value, i) => {
        values[i].push(value);
        if (values[i].length > KEPT) {
          values[i].shift();
        }
      });
      later();
    },
    end() {
      endTheme();
      seen.disconnect();
    },
  };
}
