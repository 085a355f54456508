// The two states, what they pay, and how often the optimal policy passes each arrow.

import {round, svg} from '/page/toy-draw.js';

const ARROWS = [
  {path: 'M118 78 Q210 22 302 78', at: [210, 34]},
  {path: 'M62 88 C-22 40 -22 160 62 112', at: [22, 44]},
  {path: 'M302 122 Q210 178 118 122', at: [210, 170]},
  {path: 'M358 88 C442 40 442 160 358 112', at: [398, 44]},
];

export function drawMdp(place, {best}, reward) {
  place.setAttribute('viewBox', '-10 0 440 200');
  place.replaceChildren(
    svg('defs', {}, svg('marker', {id: 'arrow', viewBox: '0 0 10 10', refX: 8, refY: 5, markerWidth: 12, markerHeight: 12, orient: 'auto', markerUnits: 'userSpaceOnUse'},
      svg('path', {d: 'M0 0L10 5L0 10z', class: 'flow-tip'}))),
    ...ARROWS.flatMap(({path, at}, pair) => [
      svg('path', {d: path, class: best.d[pair] > 1e-9 ? 'flow used' : 'flow', 'stroke-width': 1.5 + 9 * best.d[pair], 'marker-end': 'url(#arrow)'}),
      svg('text', {x: at[0], y: at[1] - 6, 'text-anchor': 'middle', class: 'label'}, `${pair % 2 ? 'stay' : 'swap'}, r = ${round(reward[pair], 2)}`),
      svg('text', {x: at[0], y: at[1] + 9, 'text-anchor': 'middle', class: 'tick'}, `d = ${round(best.d[pair])}`)]),
    ...[90, 330].flatMap((x, state) => [
      svg('circle', {cx: x, cy: 100, r: 30, class: 'state'}),
      svg('text', {x, y: 106, 'text-anchor': 'middle', class: 'state-name'}, state ? 's₁' : 's₀')]));
  place.setAttribute('aria-label', `The toy MDP. ${best.policy.map(([swap, stay], state) =>
    `In state ${state}: ${swap > stay ? 'swap' : 'stay'}`).join('. ')}.`);
}
