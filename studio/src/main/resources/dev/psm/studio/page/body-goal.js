// Goals that are shown rather than said: by numbers, by posing a pale body, or by a state that the agent knows.

import {element} from '/page/dom.js';

const shown = (value) => value.toFixed(2).replace(/^-(?=0\.00$)/, '');

function slider({name, low, high, value, unit = ''}, moved) {
  const says = element('output', {}, shown(value));
  const range = element('input', {type: 'range', min: low, max: high, step: (high - low) / 200, value,
    'aria-label': `${name}${unit ? `, ${unit}` : ''}`,
    oninput: () => {
      says.textContent = shown(range.valueAsNumber);
      moved();
    }});
  return {
    row: element('div', {class: 'slider'}, element('span', {}, name.replaceAll('_', ' ')), range, says),
    value: () => range.valueAsNumber,
    set(value) {
      range.value = Math.max(low, Math.min(high, value));
      says.textContent = shown(range.valueAsNumber);
    },
  };
}

export function goalPanel(lane, body, {ask, preview, posture}) {
  const status = element('p', {class: 'prompt-status', role: 'status'});
  const parts = [];
  let shownNow = false;

  const show = (prompt) => {
    shownNow = prompt !== null;
    preview(prompt);
  };

  if (body.goal.length) {
    const axes = body.goal.map((axis) => slider({...axis, value: (axis.low + axis.high) / 2}, reach));
    function reach() {
      ask({kind: 'goal', numbers: axes.map((axis) => axis.value())});
    }
    parts.push(element('fieldset', {}, element('legend', {}, 'Where to be'),
      axes.map((axis) => axis.row),
      element('div', {class: 'row'}, element('button', {type: 'button', class: 'primary', onclick: reach}, 'Go there'))));
  }

  const joints = body.pose.map((joint) => slider(joint, look));
  const pose = () => ({kind: 'pose', values: joints.map((joint) => joint.value())});
  function look() {
    show(pose());
  }
  function set(values) {
    values.forEach((value, i) => joints[i]?.set(value));
  }
  if (joints.length) {
    parts.push(element('fieldset', {class: 'pose'}, element('legend', {}, 'A pose'),
      joints.map((joint) => joint.row),
      element('div', {class: 'row'},
        element('button', {type: 'button', class: 'primary', onclick: () => ask(pose())}, 'Take this pose'),
        element('button', {type: 'button', onclick: posture}, 'Copy the body’s'),
        element('button', {type: 'button', onclick: () => {
          set(body.pose.map(({value}) => value));
          look();
        }}, 'Straighten'))));
  }

  const number = element('input', {type: 'number', min: 0, max: body.sample - 1, value: 0, 'aria-label': 'State of the sample',
    onchange: () => number.validity.valid && show(frame())});
  const frame = () => ({kind: 'frame', index: number.valueAsNumber});
  parts.push(element('fieldset', {}, element('legend', {}, `One of ${body.sample.toLocaleString('en')} states the agent knows`),
    element('div', {class: 'row'},
      number,
      element('button', {type: 'button', onclick: () => {
        number.value = Math.floor(Math.random() * body.sample);
        show(frame());
      }}, 'Another'),
      element('button', {type: 'button', class: 'primary', onclick: () => number.validity.valid && ask(frame())}, 'Reach this state'))));

  return {
    root: element('div', {}, parts, status),
    previewed({shown: visible, pose: values}) {
      if (values) {
        set(values);
      }
      status.textContent = visible || !shownNow ? '' : 'Observations of this world do not tell a pose, so none is shown; it can be reached all the same.';
    },
    posture(values) {
      set(values);
      look();
    },
    leave() {
      if (shownNow) {
        show(null);
      }
    },
  };
}
