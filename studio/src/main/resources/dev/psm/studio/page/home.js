// All agents that can be asked, and where to begin.

import {get} from '/page/api.js';
import {element} from '/page/dom.js';

export async function show(root) {
  const {models} = await get('/api/models');
  root.append(
    element('h1', {}, 'What should the agent do?'),
    element('p', {class: 'lead'},
      'These agents learned without any reward. Choose one, write a reward, and watch it being obeyed.'),
    element('ul', {class: 'cards'}, models.map(card)),
  );
}

function card(model) {
  if (model.error) {
    return element('li', {class: 'card broken'},
      element('h2', {}, model.id), element('p', {class: 'failed'}, model.error));
  }
  const view = model.kind === 'grid' ? 'grid' : 'body';
  return element('li', {class: 'card'},
    element('h2', {}, element('a', {href: `#/${view}/${encodeURIComponent(model.id)}`}, model.id)),
    element('p', {}, `${model.title} · ${model.world}`),
    element('p', {class: 'note'}, model.worldTitle));
}
