// How one body is told what to do: by a formula, by a goal, or by a file to follow.

import {post} from '/page/api.js';
import {element} from '/page/dom.js';
import {formulaEditor} from '/page/editor.js';
import {goalPanel} from '/page/body-goal.js';

const MODES = [['reward', 'Reward'], ['goal', 'Goal'], ['demonstration', 'Demonstration']];

const shown = (value) => Number(value.toPrecision(3)).toString();

// `ask` is called with a prompt as soon as there is one that can be obeyed.
export function promptPanel(lane, body, {text, ask, preview, posture}) {
  const path = `/api/bodies/${encodeURIComponent(body.id)}`;
  const name = lane === 0 ? 'A' : 'B';
  const status = element('p', {class: 'prompt-status', role: 'status'});
  const panels = {};
  let mode = 'reward';

  function say(words, kind = '') {
    status.textContent = words;
    status.className = `prompt-status ${kind}`;
  }

  const wrong = (words, index) => say(index === undefined ? words : `Column ${index + 1}: ${words}`, 'failed');

  const place = element('div', {class: 'editor'});
  const editor = formulaEditor(place, {
    label: `Reward formula of policy ${name}`,
    words: body,
    text,
    check: (formula, signal) => post(`${path}/formula`, {text: formula}, {signal}),
    sent: (formula) => ask({kind: 'reward', text: formula}),
    checked(answer) {
      if (answer.error) {
        wrong(answer.error, answer.index);
        return;
      }
      say(answer.drawn ? 'The goal that each episode draws.'
        : answer.constant ? 'The same in all of the agent’s sample, so there is nothing to pursue.'
        : `In the agent’s sample: ${shown(answer.low)} to ${shown(answer.high)}, median ${shown(answer.median)}.`);
    },
  });

  const chip = (formula, title) => element('button', {type: 'button', class: 'chip', title, onclick: () => editor.set(formula)}, formula);
  const tasks = body.tasks.map(({name: task, meaning}) => chip(task, meaning));
  const examples = body.examples.map((formula) => chip(formula, 'an example'));
  const word = ({name: said, meaning, unit}, text) => element('li', {},
    element('button', {type: 'button', class: 'word', onclick: () => editor.insert(text)}, said),
    element('span', {class: 'note'}, `${meaning}${unit && unit !== '1' ? `, ${unit}` : ''}`));

  panels.reward = element('div', {},
    place, status,
    tasks.length ? element('div', {class: 'chips', role: 'group', 'aria-label': 'Tasks'}, tasks) : null,
    examples.length ? element('div', {class: 'chips', role: 'group', 'aria-label': 'Examples'}, examples) : null,
    element('details', {class: 'words'},
      element('summary', {}, 'Words of this world'),
      element('h3', {}, 'Quantities'),
      element('ul', {}, body.quantities.map((each) => word(each, each.name))),
      element('h3', {}, 'Functions'),
      element('ul', {}, body.functions.map((each) => word(each, `${each.name.split('(')[0]}(`)))));

  const goals = goalPanel(lane, body, {ask, preview, posture});
  panels.goal = goals.root;
  panels.demonstration = demonstration(body, ask);

  const tabs = MODES.map(([key, title]) =>
    element('button', {type: 'button', role: 'tab', id: `tab-${lane}-${key}`, 'aria-controls': `panel-${lane}-${key}`, onclick: () => choose(key)}, title));
  const list = element('div', {role: 'tablist', class: 'tabs', 'aria-label': `Kind of prompt of policy ${name}`,
    onkeydown(event) {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (step) {
        const next = (MODES.findIndex(([key]) => key === mode) + step + MODES.length) % MODES.length;
        choose(MODES[next][0]);
        tabs[next].focus();
      }
    }}, tabs);
  for (const [key, panel] of Object.entries(panels)) {
    panel.id = `panel-${lane}-${key}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `tab-${lane}-${key}`);
  }

  function choose(key) {
    mode = key;
    MODES.forEach(([each], i) => {
      tabs[i].setAttribute('aria-selected', String(each === key));
      tabs[i].tabIndex = each === key ? 0 : -1;
      panels[each].hidden = each !== key;
    });
    if (key !== 'goal') {
      goals.leave();
    }
  }
  choose('reward');

  return {
    root: element('div', {class: 'prompt'}, list, Object.values(panels)),
    editor,
    goals,
    // What the server could not obey.
    failed: ({message, index}) => (mode === 'reward' ? wrong(message, index) : panels[mode].querySelector('.prompt-status').replaceChildren(message)),
    end: () => editor.destroy(),
  };
}

function demonstration(body, ask) {
  const status = element('p', {class: 'prompt-status failed', role: 'status'});
  const file = element('input', {type: 'file', accept: '.npy,.npz,.csv,.txt,text/plain', onchange: follow, onclick: () => (file.value = '')});
  const ahead = element('input', {type: 'number', min: 1, max: 1000, value: 10, onchange: follow});

  function follow() {
    if (file.files[0] && ahead.validity.valid) {
      status.textContent = '';
      ask({kind: 'demonstration', file: file.files[0], window: ahead.valueAsNumber});
    }
  }

  return element('div', {},
    element('p', {class: 'note'},
      `Observations to follow, one a row: .npy, .npz with the array “observation”, or text. Each has as many numbers as an observation of ${body.world}.`),
    element('label', {class: 'field'}, 'File', file),
    element('label', {class: 'field'}, 'States to look ahead', ahead),
    status);
}
