// What the chosen agent has learned, read from its model: where it believes to go from a cell, and its basis.

import {post} from '/page/api.js';
import {element} from '/page/dom.js';
import {EXACT} from '/page/grid-desk.js';
import {ACTIONS} from '/page/grid-map.js';
import {drawGrid, range} from '/page/grid-picture.js';
import {latest, quiet} from '/page/latest.js';

const PAGE = 12;

export class Inside {
  constructor(desk) {
    this.desk = desk;
    this.shown = 0;
    this.action = element('select', {onchange: ({target}) => desk.setProbe({action: +target.value})},
      ACTIONS.map((name, i) => element('option', {value: i, selected: i === desk.probe.action}, name)));
    this.cell = element('strong', {});
    this.learned = figure('Learned measure');
    this.exact = figure('Exact measure of the same policy');
    this.measureWords = element('p', {class: 'note', 'aria-live': 'polite'});
    this.functions = element('div', {class: 'functions'});
    this.basisWords = element('span', {class: 'note'});
    const turn = (by) => () => {
      this.shown = Math.max(0, this.shown + by);
      this.drawBasis();
    };
    this.back = element('button', {type: 'button', 'aria-label': 'Earlier functions', onclick: turn(-PAGE)}, '‹');
    this.on = element('button', {type: 'button', 'aria-label': 'Further functions', onclick: turn(PAGE)}, '›');
    this.details = element('details', {class: 'panel inside', ontoggle: () => this.ask()},
      element('summary', {}, element('h2', {}, 'Look inside')),
      element('p', {class: 'row'}, 'From cell', this.cell, 'by', element('label', {}, element('span', {class: 'visually-hidden'}, 'Action'), this.action),
        element('span', {class: 'note'}, 'Choose the cell with the tool Look (L).')),
      element('h3', {}, 'Where it goes: the successor measure'),
      element('div', {class: 'row pair'}, this.learned.element, this.exact.element), this.measureWords,
      element('h3', {}, 'Basis functions'),
      element('div', {class: 'row'}, this.back, this.basisWords, this.on), this.functions);
    this.element = this.details;
    const work = latest(() => this.fetch());
    this.ask = quiet(() => this.details.open && work(), 80);
  }

  async fetch() {
    const {desk} = this;
    const {map, solver} = desk;
    const question = {...desk.question(solver), state: desk.probe.state, action: desk.probe.action};
    this.cell.textContent = map.cellName(desk.probe.state);
    try {
      const measure = await post('/api/grids/measure', question);
      const basis = solver === EXACT ? {functions: []} : await post('/api/grids/basis', question);
      if (map === desk.map && solver === desk.solver) {
        this.measure = measure;
        this.basis = basis.functions;
        this.drawMeasure();
        this.drawBasis();
      }
    } catch (error) {
      this.measureWords.textContent = error.message;
    }
  }

  drawMeasure() {
    const {desk, measure} = this;
    // One scale for both, so that they can be compared.
    const limits = range([0, ...measure.exact, ...(measure.learned ?? [])]);
    const view = (values) => ({values, limits, root: true, mark: desk.probe.state, width: 196, height: 196});
    this.learned.element.hidden = !measure.learned;
    if (measure.learned) {
      drawGrid(this.learned.canvas, desk.map, view(measure.learned));
    }
    drawGrid(this.exact.canvas, desk.map, view(measure.exact));
    this.exact.caption.textContent = measure.learned ? 'Exact measure of the same policy' : 'Exact measure of the optimal policy';
    this.measureWords.textContent = measure.learned
      ? `The exact one sums to 1, the learned one to ${sum(measure.learned).toFixed(3)}; half of all differences: ${
        measure.distance.toFixed(4)}. Colours go by the square root.` : '';
  }

  drawBasis() {
    const count = this.basis?.length ?? 0;
    this.shown = Math.min(this.shown, Math.max(0, count - 1) - (Math.max(0, count - 1) % PAGE));
    this.back.disabled = this.shown === 0;
    this.on.disabled = this.shown + PAGE >= count;
    this.basisWords.textContent = count
      ? `${this.shown + 1} to ${Math.min(count, this.shown + PAGE)} of ${count}; orange is positive, blue negative`
      : 'an exact solution needs no basis';
    const pictures = (this.basis ?? []).slice(this.shown, this.shown + PAGE).map((values, i) => {
      const canvas = element('canvas', {role: 'img', 'aria-label': `Basis function ${this.shown + i + 1}`});
      drawGrid(canvas, this.desk.map, {values, signed: true, width: 96, height: 96});
      return canvas;
    });
    this.functions.replaceChildren(...pictures);
  }

  draw() {
    this.action.value = String(this.desk.probe.action);
    this.ask();
  }
}

const sum = (values) => values.reduce((a, b) => a + b, 0);

function figure(title) {
  const canvas = element('canvas', {role: 'img', 'aria-label': title});
  const caption = element('figcaption', {class: 'note'}, title);
  return {canvas, caption, element: element('figure', {}, canvas, caption)};
}
