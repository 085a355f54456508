// Grids: a reward is painted, and every agent's answer is seen beside the exact one.

import {get} from '/page/api.js';
import {element, stylesheet} from '/page/dom.js';
import {Board} from '/page/grid-board.js';
import {Brush} from '/page/grid-brush.js';
import {copyButtons} from '/page/grid-copy.js';
import {Desk, EXACT} from '/page/grid-desk.js';
import {Inside} from '/page/grid-inside.js';
import {GridMap} from '/page/grid-map.js';
import {RewardPanel} from '/page/grid-reward.js';
import {Solvers} from '/page/grid-solvers.js';
import {Worlds} from '/page/grid-worlds.js';

const METHODS = {
  gpi: 'gpi: the best code in every cell',
  best: 'best: the one best code',
  dual: 'dual: the optimum over all coordinates',
};

export async function show(root, {path}) {
  const [overview] = await Promise.all([get('/api/grids'), stylesheet('/page/grid.css')]);
  const desk = new Desk(overview);
  const brush = new Brush(desk);
  const board = new Board(desk, brush);
  const solvers = new Solvers(desk);
  const reward = new RewardPanel(desk);
  const worlds = new Worlds(desk);
  const inside = new Inside(desk);
  const method = element('select', {onchange: ({target}) => desk.setMethod(target.value)},
    Object.entries(METHODS).map(([id, title]) => element('option', {value: id}, title)));
  const methodLabel = element('label', {}, 'Method', method);
  const verdict = element('p', {class: 'verdict', 'aria-live': 'polite'});

  const view = element('div', {class: 'columns grid-view'},
    element('div', {},
      element('section', {class: 'panel', 'aria-label': 'The grid'}, brush.element, board.element, board.says, verdict),
      inside.element),
    element('div', {},
      element('div', {class: 'panel'}, solvers.element, element('div', {class: 'method'}, methodLabel)),
      element('div', {class: 'panel'}, reward.element, copyButtons(desk)),
      element('div', {class: 'panel'}, worlds.element)));
  root.append(element('h1', {}, 'Paint a reward'), view);

  let drawn = 0;
  const draw = (what) => {
    if (what === 'question') {
      view.dataset.asked = desk.turn;
      return;
    }
    cancelAnimationFrame(drawn);
    drawn = requestAnimationFrame(() => {
      board.draw();
      solvers.draw();
      verdict.replaceChildren(...words(desk));
      // Which of the questions the drawn answer is to, for whoever waits for it.
      view.dataset.drawn = desk.answers.get(desk.solver)?.turn ?? 0;
    });
    const ofPsm = desk.agentOf(desk.solver)?.agent === 'psm';
    method.closest('.method').hidden = !ofPsm;
    if (what === 'map' || what === 'agents') {
      worlds.draw();
    }
    reward.draw(what);
    if (['map', 'solver', 'probe', 'answer'].includes(what)) {
      inside.draw();
    }
  };
  desk.addEventListener('change', ({detail}) => draw(detail));
  const wanted = path[0] && desk.agents.find(({id}) => id === path[0]);
  desk.solver = wanted?.id;
  const map = new GridMap(wanted?.map ?? desk.maps[0]);
  desk.open(map);
  if (!wanted && !desk.solvers().some(({agent}) => agent === 'psm')) {
    solvers.pretrain('psm');
  }
  return () => {
    cancelAnimationFrame(drawn);
    board.close();
    solvers.close();
  };
}

const steps = (count) => `${count} step${count === 1 ? '' : 's'}`;

// The chosen solver in a sentence.
function words(desk) {
  const chosen = desk.agentOf(desk.solver);
  const answer = desk.answers.get(desk.solver);
  if (desk.errors.has(desk.solver)) {
    return [element('span', {class: 'failed'}, desk.errors.get(desk.solver))];
  }
  if (!desk.hasReward()) {
    return ['Click a cell to make it a goal, or paint with + and −. Without a reward every action is as good as any other.'];
  }
  if (!answer) {
    return [chosen.id === EXACT ? 'Solving…' : `Loading ${chosen.title}…`];
  }
  const walk = !answer.path ? ' Choose Start and click a cell to see the walk.'
    : answer.stays ? ` The walk takes ${steps(answer.path.length - 1)} and stays.`
      : ` The walk comes back to a cell after ${steps(answer.path.length - 1)} and goes round for ever.`;
  const judged = chosen.id === EXACT ? 'The exact solution.'
    : answer.wrongShare === 0 ? `${chosen.title} is right in every cell.`
      : `${chosen.title}: ${Math.round(answer.wrongShare * desk.map.size)} of ${desk.map.size} arrows are not optimal (red); `
        + `${(100 * answer.loss).toFixed(1)} % of the value is lost.`;
  return [element('strong', {}, judged), walk];
}
