// Which world: a map that comes with psm, one of an agent, a file, or drawn.

import {element, notice} from '/page/dom.js';
import {Desk} from '/page/grid-desk.js';
import {GridMap} from '/page/grid-map.js';

const MAX_BYTES = 100_000;

export class Worlds {
  constructor(desk) {
    this.desk = desk;
    this.select = element('select', {id: 'map', onchange: ({target}) => this.choose(target.value)});
    this.file = element('input', {
      type: 'file', accept: '.txt,text/plain', id: 'map-file', class: 'visually-hidden', 'aria-label': 'Load a map from a text file',
      onchange: ({target}) => this.load(target.files[0]).finally(() => (target.value = '')),
    });
    this.about = element('p', {class: 'note'});
    this.element = element('section', {},
      element('h2', {}, element('label', {for: 'map'}, 'World')),
      element('div', {class: 'row'}, this.select,
        element('label', {class: 'button', for: 'map-file'}, 'Load a file'), this.file,
        element('button', {type: 'button', title: 'An open room, to draw walls in', onclick: () => this.blank()}, 'Blank')),
      this.about);
  }

  // All maps there are, each once.
  maps() {
    const {desk} = this;
    const all = desk.maps.map((map) => new GridMap(map));
    for (const {map} of [...desk.agents, {map: desk.map}]) {
      const one = map instanceof GridMap ? map : new GridMap(map);
      if (!all.some((each) => each.sameDrawing(one))) {
        all.push(one);
      }
    }
    return all;
  }

  choose(index) {
    this.desk.open(this.maps()[index]);
  }

  async load(file) {
    if (!file) {
      return;
    }
    if (file.size > MAX_BYTES) {
      notice(`${file.name} has ${file.size} bytes; a map of up to ${MAX_BYTES} is read here`, 'error');
      return;
    }
    try {
      this.desk.open(await Desk.check(file.name.replace(/\.[^.]*$/, ''), await file.text()));
      notice(`${file.name} is the world now`);
    } catch (error) {
      notice(error.message, 'error');
    }
  }

  async blank() {
    const wall = '#'.repeat(12);
    const lines = [wall, ...Array.from({length: 8}, () => `#${'.'.repeat(10)}#`), wall];
    this.desk.open(await Desk.check('drawn', lines.join('\n')));
  }

  draw() {
    const {desk} = this;
    const maps = this.maps();
    const chosen = maps.findIndex((map) => map.sameDrawing(desk.map));
    this.select.replaceChildren(...maps.map((map, i) => element('option', {value: i, selected: i === chosen}, map.name)));
    this.select.value = String(chosen);
    this.about.textContent = `${desk.map.height} rows, ${desk.map.width} columns, ${desk.map.size} free cells. `
      + 'Draw with Wall and Floor to make another world.';
  }
}
