// The paper's Figure 2: all visitation distributions of a two-state MDP are a polygon, and a reward picks its corner.

import {post} from '/page/api.js';
import {element, stylesheet} from '/page/dom.js';
import {latest} from '/page/latest.js';
import {PAIRS, round, svg} from '/page/toy-draw.js';
import {drawMdp} from '/page/toy-mdp.js';
import {Plane} from '/page/toy-plane.js';
import {Tetrahedron} from '/page/toy-tetrahedron.js';

const PRESETS = [
  {title: 'The paper’s: be in s₀', reward: [1, 1, 0, 0]},
  {title: 'Be in s₁', reward: [0, 0, 1, 1]},
  {title: 'Swap for ever', reward: [1, 0, 1, 0]},
  {title: 'Stay anywhere', reward: [0, 1, 0, 1]},
];

export async function show(root) {
  await stylesheet('/page/toy.css');
  const toy = {discount: 0.9, start: 1, reward: [1, 1, 0, 0]};
  let answer;
  const plane = new Plane((direction) => {
    steer(toy, answer, direction);
    ask();
  });
  const tetrahedron = new Tetrahedron();
  const mdp = svg('svg', {class: 'toy-picture', role: 'img'});
  const numbers = element('tbody', {});
  const words = element('p', {'aria-live': 'polite'});
  const equation = element('p', {class: 'mono equation'});
  const sliders = [];

  const ask = latest(async () => {
    try {
      answer = await post('/api/toy', toy);
    } catch (error) {
      words.textContent = error.message;
      return;
    }
    const gradient = answer.basis.map((column) => column.reduce((sum, each, pair) => sum + each * toy.reward[pair], 0));
    plane.draw(answer, gradient);
    tetrahedron.draw(answer);
    drawMdp(mdp, answer, toy.reward);
    sliders.forEach((each) => each());
    const {best, basis, bias} = answer;
    numbers.replaceChildren(...PAIRS.map((pair, i) => element('tr', {},
      element('th', {scope: 'row'}, pair),
      [toy.reward[i], basis[0][i], basis[1][i], bias[i], best.d[i]].map((each) => element('td', {class: 'number'}, round(each))))));
    equation.textContent = `d* = φ₁ · ${round(best.w[0])} + φ₂ · ${round(best.w[1])} + b`;
    words.textContent = Math.hypot(...gradient) < 1e-9 ? 'This reward prefers nothing: every policy earns the same.'
      : `Best: ${best.policy.map(([swap, stay], state) => `in s${state ? '₁' : '₀'} ${swap > stay ? 'swap' : stay > swap ? 'stay' : 'either'}`).join(', ')}. `
        + `It earns ${round(best.optimum)} a step.`;
    root.dataset.solved = String((Number(root.dataset.solved) || 0) + 1);
  });

  const slider = (title, low, high, step, read, write) => {
    const output = element('output', {});
    const input = element('input', {type: 'range', min: low, max: high, step, 'aria-label': title, oninput: () => {
      write(+input.value);
      ask();
    }});
    sliders.push(() => {
      input.value = read();
      output.value = round(read(), 2);
    });
    return element('label', {class: 'slider'}, element('span', {}, title), input, output);
  };

  root.append(
    element('h1', {}, 'Why any reward is a corner'),
    element('p', {class: 'lead'}, 'A policy is how often it takes each action in each state, discounted: a visitation d. All of them are d = Φw + b, '
      + 'with a basis Φ and a bias b that know no reward, wherever that is not negative. A reward only picks the corner: drag it.'),
    element('div', {class: 'toy-columns'},
      element('section', {class: 'panel', 'aria-labelledby': 'plane-title'},
        element('h2', {id: 'plane-title'}, 'Coordinates w, and the reward over them'), plane.element,
        element('p', {class: 'note'}, 'Drag the arrow’s tip, or turn it with the arrow keys. Dashed: all w that earn as much as the best.')),
      element('section', {class: 'panel', 'aria-labelledby': 'simplex-title'},
        element('h2', {id: 'simplex-title'}, 'The same in the simplex of distributions'), tetrahedron.element,
        element('p', {class: 'note'}, 'Each tip is one state and action taken always; only a slice obeys the dynamics. Drag to turn.')),
      element('div', {}, element('section', {class: 'panel', 'aria-labelledby': 'mdp-title'},
        element('h2', {id: 'mdp-title'}, 'The MDP'), mdp, words,
        element('div', {class: 'row presets', role: 'group', 'aria-label': 'Rewards to begin with'}, PRESETS.map(({title, reward}) =>
          element('button', {type: 'button', onclick: () => {
            toy.reward = [...reward];
            ask();
          }}, title)))),
      element('section', {class: 'panel', 'aria-labelledby': 'change-title'},
        element('h2', {id: 'change-title'}, 'Change it'),
        slider('Discount γ', 0, 0.99, 0.01, () => toy.discount, (value) => (toy.discount = value)),
        slider('Start in s₀, μ(s₀)', 0, 1, 0.01, () => toy.start, (value) => (toy.start = value)),
        PAIRS.map((pair, i) => slider(`r(${pair})`, -1, 1, 0.01, () => toy.reward[i], (value) => (toy.reward[i] = value))),
        element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Numbers'}, element('table', {},
          element('thead', {}, element('tr', {}, ['Pair', 'r', 'φ₁', 'φ₂', 'b', 'd*'].map((title, i) => element('th', {scope: 'col', class: i ? 'number' : null}, title)))),
          numbers)), equation))));
  await ask();
}

// The reward nearest to the present one whose direction in w is the wished one: r + Φ (ΦᵀΦ)⁻¹ (g − Φᵀr), then cut to ±1.
function steer(toy, {basis}, wished) {
  const dot = (a, b) => a.reduce((sum, each, i) => sum + each * b[i], 0);
  const [one, two] = basis;
  const gap = [wished[0] - dot(one, toy.reward), wished[1] - dot(two, toy.reward)];
  const [a, b, c] = [dot(one, one), dot(one, two), dot(two, two)];
  const determinant = a * c - b * b;
  const x = (c * gap[0] - b * gap[1]) / determinant;
  const y = (a * gap[1] - b * gap[0]) / determinant;
  const reward = toy.reward.map((each, i) => each + x * one[i] + y * two[i]);
  const largest = Math.max(1, ...reward.map(Math.abs));
  toy.reward = reward.map((each) => each / largest);
}
