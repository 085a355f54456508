// What a stroke does: tools, the size of the brush and its strength.

import {element, notice} from '/page/dom.js';
import {Desk} from '/page/grid-desk.js';

const TOOLS = [
  {id: 'goal', key: 'g', title: 'Goal', hint: 'One click: this cell alone pays 1'},
  {id: 'positive', key: 'p', title: '+ Reward', hint: 'Paint what pays'},
  {id: 'negative', key: 'n', title: '− Reward', hint: 'Paint what costs'},
  {id: 'erase', key: 'e', title: 'Erase', hint: 'Cells that pay nothing'},
  {id: 'start', key: 's', title: 'Start', hint: 'Where the walk begins'},
  {id: 'probe', key: 'l', title: 'Look', hint: 'The cell to look into, below'},
  {id: 'wall', key: 'w', title: 'Wall', hint: 'Draw walls: a new world'},
  {id: 'floor', key: 'f', title: 'Floor', hint: 'Break walls down'},
];

export class Brush {
  constructor(desk) {
    this.desk = desk;
    this.tool = 'goal';
    this.size = 1;
    this.strength = 1;
    this.buttons = TOOLS.map(({id, key, title, hint}) =>
      element('button', {
        type: 'button', 'data-tool': id, title: `${hint} (key ${key.toUpperCase()})`,
        'aria-pressed': String(id === this.tool), onclick: () => this.choose(id),
      }, title));
    const strength = element('output', {for: 'strength'}, '1');
    this.element = element('div', {class: 'tools'},
      element('div', {class: 'row', role: 'group', 'aria-label': 'Tools'}, this.buttons),
      element('div', {class: 'row'},
        element('label', {}, 'Brush', element('select', {
          onchange: ({target}) => (this.size = +target.value),
        }, [1, 2, 3].map((size) => element('option', {value: size}, `${2 * size - 1} × ${2 * size - 1}`)))),
        element('label', {}, 'Strength', element('input', {
          id: 'strength', type: 'range', min: 0.1, max: 1, step: 0.1, value: 1,
          oninput: ({target}) => {
            this.strength = +target.value;
            strength.value = target.value;
          },
        }), strength),
        element('button', {type: 'button', onclick: () => desk.undo(), title: 'Take back (Ctrl+Z)'}, 'Undo'),
        element('button', {type: 'button', onclick: () => this.clear(), title: 'No rewards (key C)'}, 'Clear')));
  }

  choose(tool) {
    this.tool = tool;
    this.desk.probing = tool === 'probe';
    this.buttons.forEach((each) => each.setAttribute('aria-pressed', String(each.dataset.tool === tool)));
    this.desk.tell('tool');
  }

  clear() {
    this.desk.remember();
    this.desk.setReward(new Float64Array(this.desk.map.size), null);
  }

  // Keys on the board beside those that move: tools, and those done at once where the cursor is.
  shortcut(key, cursor) {
    if (key === 'c') {
      this.clear();
      return true;
    }
    const tool = TOOLS.find((each) => each.key === key.toLowerCase())?.id;
    if (!tool) {
      return false;
    }
    this.choose(tool);
    if (['goal', 'start', 'probe'].includes(tool)) {
      this.once(cursor);
    }
    return true;
  }

  once(cell) {
    this.begin(cell);
    this.end();
  }

  begin(cell) {
    this.redrawn = [];
    if (['positive', 'negative', 'erase', 'goal'].includes(this.tool)) {
      this.desk.remember();
    }
    this.stroke(cell);
  }

  stroke([row, column]) {
    const {desk} = this;
    const {map} = desk;
    const state = map.stateAt(row, column);
    if (this.tool === 'wall' || this.tool === 'floor') {
      if (row >= 0 && column >= 0 && row < map.height && column < map.width) {
        this.redrawn.push([row, column]);
        desk.tell('walls');
      }
      return;
    }
    if (this.tool === 'goal' || this.tool === 'start' || this.tool === 'probe') {
      if (state >= 0) {
        this.single(state);
      }
      return;
    }
    const value = this.tool === 'erase' ? 0 : this.tool === 'positive' ? this.strength : -this.strength;
    const around = this.size - 1;
    const states = [];
    for (let r = row - around; r <= row + around; r++) {
      for (let c = column - around; c <= column + around; c++) {
        if (map.stateAt(r, c) >= 0) {
          states.push(map.stateAt(r, c));
        }
      }
    }
    desk.paint(states, value);
  }

  single(state) {
    if (this.tool === 'goal') {
      this.desk.setGoal(state);
    } else if (this.tool === 'start') {
      this.desk.setStart(state);
    } else {
      this.desk.setProbe({state});
    }
  }

  // Walls make another world when the stroke is over, if it is one.
  async end() {
    const cells = this.redrawn;
    this.redrawn = [];
    if (!cells.length) {
      return;
    }
    const {desk} = this;
    const known = desk.maps.some(({name}) => name === desk.map.name);
    const name = known ? `${desk.map.name}-redrawn` : desk.map.name;
    const wanted = desk.map.withCells(cells, this.tool === 'wall', name);
    const original = desk.maps.find(({lines}) => lines.join('\n') === wanted.lines.join('\n'));
    try {
      const map = await Desk.check(original?.name ?? name, wanted.lines.join('\n'));
      notice('');
      desk.open(map, {keep: true});
    } catch (error) {
      notice(`${this.tool === 'wall' ? 'No wall here' : 'No floor here'}: ${error.message}`, 'error');
      desk.tell('walls');
    }
  }
}
