// The programme in w: what can be visited is a polygon, a reward is a direction, and its answer a corner.

import {actions, around, dragging, round, svg} from '/page/toy-draw.js';

const SIZE = 420;
const ROOM = 46;
const REACH = 120;

export class Plane {
  // `steer` is called with a direction in (w₁, w₂).
  constructor(steer) {
    this.steer = steer;
    this.back = svg('g');
    this.front = svg('g');
    this.line = svg('line', {class: 'reward-line', 'marker-end': 'url(#tip)'});
    this.handle = svg('circle', {
      r: 13, class: 'handle', tabindex: 0, role: 'slider', 'aria-label': 'Direction of the reward',
      'aria-valuemin': -180, 'aria-valuemax': 180, onkeydown: (event) => this.key(event),
    });
    this.element = svg('svg', {viewBox: `0 0 ${SIZE} ${SIZE}`, class: 'toy-picture clipped'},
      svg('defs', {}, svg('marker', {id: 'tip', viewBox: '0 0 10 10', refX: 8, refY: 5, markerWidth: 6, markerHeight: 6, orient: 'auto'},
        svg('path', {d: 'M0 0L10 5L0 10z', class: 'reward-tip'}))),
      this.back, this.line, this.front, this.handle);
    dragging(this.handle, ([x, y]) => this.pull(x, y));
  }

  key(event) {
    const turn = {ArrowLeft: 1, ArrowUp: 1, ArrowRight: -1, ArrowDown: -1}[event.key];
    if (turn) {
      event.preventDefault();
      const angle = this.angle + (turn * Math.PI) / 36;
      const [x, y] = this.origin;
      this.pull(x + Math.cos(angle) * this.reach, y - Math.sin(angle) * this.reach);
    }
  }

  pull(x, y) {
    const [dx, dy] = [x - this.origin[0], this.origin[1] - y];
    const length = Math.hypot(dx, dy) || 1;
    const size = Math.min(1, length / REACH);
    this.steer([(dx / length) * size, (dy / length) * size]);
  }

  draw({corners, best}, gradient) {
    const most = Math.max(1e-9, ...corners.flatMap(({w}) => w)) * 1.12;
    const place = ([w1, w2]) => [ROOM + (w1 / most) * (SIZE - 2 * ROOM), SIZE - ROOM - (w2 / most) * (SIZE - 2 * ROOM)];
    const outline = around(corners, ({w}) => place(w));
    const centre = [0, 1].map((axis) => outline.reduce((sum, {at}) => sum + at[axis], 0) / outline.length);
    const ends = place([most, most]);
    const length = Math.hypot(...gradient);
    const optimum = place(best.w);
    this.back.replaceChildren(
      svg('line', {x1: ROOM, y1: SIZE - ROOM, x2: ends[0], y2: SIZE - ROOM, class: 'axis'}),
      svg('line', {x1: ROOM, y1: SIZE - ROOM, x2: ROOM, y2: ends[1], class: 'axis'}),
      text(ends[0], SIZE - ROOM + 26, 'w₁ = d(s₀, stay)', 'end'), text(ROOM - 8, ends[1] - 12, 'w₂ = d(s₁, stay)', 'start'),
      ...[0, 0.5, 1].filter((tick) => tick <= most).flatMap((tick) => [
        text(place([tick, 0])[0], SIZE - ROOM + 14, String(tick), 'middle', 'tick'), text(ROOM - 7, place([0, tick])[1] + 4, String(tick), 'end', 'tick')]),
      svg('polygon', {points: outline.map(({at}) => at.join()).join(' '), class: 'feasible'}));
    const front = [];
    if (length > 1e-9) {
      const across = [gradient[1] / length, gradient[0] / length].map((each) => each * SIZE);
      front.push(svg('line', {
        x1: optimum[0] - across[0], y1: optimum[1] - across[1], x2: optimum[0] + across[0], y2: optimum[1] + across[1], class: 'level'}));
    }
    for (const {corner, at} of outline) {
      const isBest = length > 1e-9 && Math.hypot(at[0] - optimum[0], at[1] - optimum[1]) < 1;
      const right = at[0] > SIZE * 0.55;
      front.push(
        svg('circle', {cx: at[0], cy: at[1], r: isBest ? 9 : 5, class: isBest ? 'corner best' : 'corner'}),
        text(right ? Math.min(SIZE - 4, at[0] + 30) : at[0] + 10, at[1] - 14, corner.policies.map(actions).join(' or '),
          right ? 'end' : 'start', isBest ? 'policy best' : 'policy'));
    }
    this.front.replaceChildren(...front);
    this.origin = centre;
    this.angle = Math.atan2(gradient[1], gradient[0]);
    this.reach = REACH * Math.max(0.25, Math.min(1, length || 0.25));
    const tip = [centre[0] + Math.cos(this.angle) * this.reach, centre[1] - Math.sin(this.angle) * this.reach];
    Object.entries({x1: centre[0], y1: centre[1], x2: tip[0], y2: tip[1]}).forEach(([key, value]) => this.line.setAttribute(key, value));
    this.handle.setAttribute('cx', tip[0]);
    this.handle.setAttribute('cy', tip[1]);
    const degrees = Math.round((this.angle * 180) / Math.PI);
    this.handle.setAttribute('aria-valuenow', degrees);
    this.handle.setAttribute('aria-valuetext', `${degrees} degrees; best at w ${best.w.map((each) => round(each)).join(', ')}`);
  }
}

const text = (x, y, words, anchor, kind = 'label') => svg('text', {x, y, 'text-anchor': anchor, class: kind}, words);
