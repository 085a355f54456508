// All distributions over the four pairs are a tetrahedron; those that the MDP allows are a slice of it.

import {PAIRS, around, dragging, svg} from '/page/toy-draw.js';

const SIZE = 420;
const SCALE = 172;
const CORNERS = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]].map((corner) => corner.map((each) => each / Math.sqrt(3)));

export class Tetrahedron {
  constructor() {
    this.turn = [1.05, 0.3];
    this.element = svg('svg', {
      viewBox: `0 40 ${SIZE} ${SIZE - 70}`, class: 'toy-picture turning', tabindex: 0, role: 'img',
      'aria-label': 'The tetrahedron of all distributions over pairs, and in it the slice of visitations. Arrow keys turn it.',
      onkeydown: (event) => this.key(event),
    });
    dragging(this.element, (_, [dx, dy]) => this.rotate(dx / 120, dy / 120));
  }

  key(event) {
    const by = {ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, -0.12], ArrowDown: [0, 0.12]}[event.key];
    if (by) {
      event.preventDefault();
      this.rotate(...by);
    }
  }

  rotate(right, down) {
    this.turn = [this.turn[0] + right, Math.max(-1.5, Math.min(1.5, this.turn[1] + down))];
    this.draw(this.last);
  }

  // Where a distribution lies: across, down, and how near.
  place(d) {
    const [x, y, z] = [0, 1, 2].map((axis) => d.reduce((sum, share, i) => sum + share * CORNERS[i][axis], 0));
    const [yaw, pitch] = this.turn;
    const [x1, z1] = [x * Math.cos(yaw) + z * Math.sin(yaw), z * Math.cos(yaw) - x * Math.sin(yaw)];
    const [y2, z2] = [y * Math.cos(pitch) - z1 * Math.sin(pitch), y * Math.sin(pitch) + z1 * Math.cos(pitch)];
    return [SIZE / 2 + SCALE * x1, SIZE / 2 - SCALE * y2, z2];
  }

  draw(answer) {
    this.last = answer;
    const {corners, best} = answer;
    const ends = CORNERS.map((_, i) => this.place(CORNERS.map((_, j) => Number(i === j))));
    const farthest = ends.reduce((a, b) => (b[2] < a[2] ? b : a));
    const edges = [];
    for (let i = 0; i < 4; i++) {
      for (let j = i + 1; j < 4; j++) {
        const hidden = ends[i] === farthest || ends[j] === farthest;
        edges.push(svg('line', {x1: ends[i][0], y1: ends[i][1], x2: ends[j][0], y2: ends[j][1], class: hidden ? 'edge hidden' : 'edge'}));
      }
    }
    const outline = around(corners, ({d}) => this.place(d));
    const optimum = this.place(best.d);
    this.element.replaceChildren(
      ...edges,
      svg('polygon', {points: outline.map(({at}) => `${at[0]},${at[1]}`).join(' '), class: 'feasible'}),
      ...outline.map(({at}) => svg('circle', {cx: at[0], cy: at[1], r: 4.5, class: 'corner'})),
      svg('circle', {cx: optimum[0], cy: optimum[1], r: 9, class: 'corner best'}),
      ...ends.map(([x, y], i) => svg('text', {
        x: Math.max(34, Math.min(SIZE - 34, SIZE / 2 + (x - SIZE / 2) * 1.14)), y: Math.max(14, Math.min(SIZE - 6, SIZE / 2 + (y - SIZE / 2) * 1.16 + 4)),
        'text-anchor': 'middle', class: 'label'}, PAIRS[i])));
  }
}
