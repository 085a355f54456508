// The reward as a formula.

import {post} from '/page/api.js';
import {element} from '/page/dom.js';
import {latest, quiet} from '/page/latest.js';

export class RewardPanel {
  constructor(desk) {
    this.desk = desk;
    this.input = element('input', {
      type: 'text', id: 'formula', class: 'mono', spellcheck: 'false', autocomplete: 'off',
      placeholder: 'row == 2 && col == 7', 'aria-describedby': 'formula-error',
    });
    this.error = element('p', {id: 'formula-error', class: 'failed', role: 'status'});
    this.examples = element('div', {class: 'row', role: 'group', 'aria-label': 'Examples'});
    const apply = latest(() => this.apply());
    const soon = quiet(apply, 120);
    this.input.addEventListener('input', soon);
    this.input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        soon.cancel();
        apply();
      }
    });
    this.element = element('section', {},
      element('h2', {}, element('label', {for: 'formula'}, 'Reward')), this.input, this.error, this.examples,
      element('p', {class: 'note'}, 'A formula over ', element('code', {}, 'row'), ', ', element('code', {}, 'col'), ' and ',
        element('code', {}, 'distance(row, col)'), ', or painted on the grid.'));
  }

  async apply() {
    const text = this.input.value;
    if (!text.trim()) {
      this.error.textContent = '';
      return;
    }
    try {
      const {reward} = await post('/api/grids/formula', {map: this.desk.map.toJson(), formula: text});
      this.error.textContent = '';
      this.desk.remember();
      this.desk.setReward(reward, text);
    } catch (error) {
      this.error.textContent = error.message;
    }
  }

  // A painted reward has no formula; one that is being typed stays as it is.
  draw(what) {
    const {desk} = this;
    if (document.activeElement !== this.input && this.input.value !== (desk.formula ?? '')) {
      this.input.value = desk.formula ?? '';
      this.error.textContent = '';
    }
    if (what === 'map' || !this.examples.children.length) {
      const {cells} = desk.map;
      const [last, middle, first] = [cells.at(-1), cells[cells.length >> 1], cells[0]];
      const texts = [
        `row == ${last[0]} && col == ${last[1]}`,
        `exp(-distance(${middle.join(', ')}) / 3) - 0.1 * (row < 2)`,
        `(row == ${first[0]} && col == ${first[1]}) + 0.5 * (row == ${last[0]} && col == ${last[1]})`,
      ];
      this.examples.replaceChildren(...texts.map((text) => element('button', {
        type: 'button', class: 'example', onclick: () => {
          this.input.value = text;
          this.apply();
        },
      }, text)));
    }
  }
}
