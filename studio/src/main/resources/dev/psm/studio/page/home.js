// All agents that can be asked, and where to begin.

import {get} from '/page/api.js';
import {element, stylesheet} from '/page/dom.js';
import {svg} from '/page/toy-draw.js';

const PLACES = [
  {view: 'grid', title: 'Paint on a grid', words: 'Values, arrows and walks follow every stroke, beside the exact solution.', picture: 'grid'},
  {view: 'runs', title: 'Watch runs learn', words: 'Curves of runs, live while they train, compared with each other.', picture: 'runs'},
  {view: 'toy', title: 'See why it works', words: 'The polygon of all visitations, and a reward dragged over it.', picture: 'toy'},
];

// Small drawings, so that kinds are told apart at a glance.
const PICTURES = {
  grid: 'M4 4h32v32h-32zM4 15h32M4 25h32M15 4v32M25 4v32M17.5 20h5m-2-2.5l2.5 2.5l-2.5 2.5',
  body: 'M20 8a3.5 3.5 0 1 0 .01 0M20 15v10M20 17l-7 5M20 17l7 5M20 25l-6 10M20 25l6 10',
  runs: 'M5 5v30h30M9 29l6-9l6 4l6-12l7-4',
  toy: 'M8 34L8 8L34 34zM14 27l9-4m-4-1.5l4 1.5l-1.5 4',
};

export async function show(root) {
  const [{models}] = await Promise.all([get('/api/models'), stylesheet('/page/home.css')]);
  root.append(
    element('h1', {}, 'What should the agent do?'),
    element('p', {class: 'lead'},
      'These agents learned without any reward. Choose one, say what you want, and watch it being obeyed.'),
    models.length ? element('ul', {class: 'cards'}, models.map(model))
      : element('p', {class: 'panel'}, 'There is no agent in the folders that the studio was given. On a grid one is pretrained in half a minute: ',
        element('a', {href: '#/grid'}, 'paint on a grid'), '.'),
    element('h2', {class: 'section'}, 'Or begin here'),
    element('ul', {class: 'cards'}, PLACES.map(({view, title, words, picture}) =>
      card(picture, element('a', {href: `#/${view}`}, title), words))),
  );
}

function model({id, error, kind, title, world, worldTitle}) {
  if (error) {
    return element('li', {class: 'card broken'}, element('h2', {}, id), element('p', {class: 'failed'}, error));
  }
  return card(kind, element('a', {href: `#/${kind}/${encodeURIComponent(id)}`}, id), `${title} · ${world}`, worldTitle);
}

function card(picture, link, ...lines) {
  return element('li', {class: 'card home-card'},
    svg('svg', {viewBox: '0 0 40 40', 'aria-hidden': 'true', class: 'glyph'}, svg('path', {d: PICTURES[picture]})),
    element('div', {}, element('h2', {}, link), lines.map((line, i) => element('p', {class: i ? 'note' : null}, line))));
}
