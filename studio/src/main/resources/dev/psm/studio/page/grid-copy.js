// What is on the page as a command for a terminal, and as Java.

import {copy, element} from '/page/dom.js';
import {EXACT} from '/page/grid-desk.js';
import {formula, java, shell} from '/page/prompt-words.js';

function agent(desk) {
  const chosen = desk.agentOf(desk.solver);
  return chosen && chosen.id !== EXACT ? chosen : desk.solvers().find((each) => each.agent === 'psm');
}

function rows(desk) {
  return desk.map.states.map((row) => row.map((state) => (state < 0 ? '' : String(desk.reward[state]))).join(','));
}

// Where an agent of a map that has none yet is to go.
const ownFolder = ({map}) => `runs/${map.name.replace(/[^A-Za-z0-9_-]/g, '-')}`;

function heredoc(file, lines) {
  return [`cat > ${file} <<'END'`, ...lines, 'END'];
}

// Pretraining comes first where there is no agent of this map yet.
export function asCommand(desk) {
  const lines = [];
  const known = agent(desk);
  let folder = known?.folder;
  if (!known) {
    const builtIn = desk.maps.some((map) => map.name === desk.map.name && desk.map.sameDrawing(map));
    folder = ownFolder(desk);
    if (!builtIn) {
      lines.push(...heredoc('map.txt', desk.map.lines));
    }
    lines.push(`./psm pretrain ${builtIn ? `--env ${desk.map.name}` : '--map map.txt'} --agent psm --out ${folder}`);
  }
  let wish;
  if (desk.goal() >= 0) {
    wish = `--goal ${desk.map.cellName(desk.goal())}`;
  } else if (desk.formula !== null) {
    wish = `--reward ${formula(desk.formula)}`;
  } else {
    lines.push(...heredoc('reward.csv', rows(desk)));
    wish = '--reward reward.csv';
  }
  const method = desk.question(known?.id ?? '').method;
  lines.push(`./psm solve ${shell(folder)} ${wish}${method && method !== 'gpi' ? ` --method ${method}` : ''}`);
  return lines.join('\n');
}

export function asJava(desk) {
  const known = agent(desk);
  const folder = known?.folder ?? ownFolder(desk);
  const method = known && desk.question(known.id).method;
  const lines = [`ZeroShotAgent agent = ZeroShotAgent.load(Path.of(${java(folder)}))${
    method && method !== 'gpi' ? `.solvingBy(SolveMethod.${method.toUpperCase()})` : ''};`];
  if (desk.formula !== null) {
    lines.push(`ZeroShotPolicy policy = agent.solve(${java(desk.formula)});`);
  } else {
    lines.push(
      '// One number for every free cell, row by row.',
      'double[] reward = {',
      ...rows(desk).map((row) => row.split(',').filter((each) => each !== '').join(', ')).filter(Boolean).map((row) => `  ${row},`),
      '};',
      'ZeroShotPolicy policy = agent.solveSamples(agent.sample().observations(), reward);');
  }
  lines.push(
    'try (Environment grid = agent.environment().open()) {',
    '  float[] action = policy.act(grid.reset(new SplittableRandom(0)));  // up, right, down, left or stay',
    '}');
  return lines.join('\n');
}

export function copyButtons(desk) {
  return element('div', {class: 'row'},
    element('button', {type: 'button', onclick: () => copy(asCommand(desk), 'Command')}, 'Copy as command'),
    element('button', {type: 'button', onclick: () => copy(asJava(desk), 'Java')}, 'Copy as Java'));
}
