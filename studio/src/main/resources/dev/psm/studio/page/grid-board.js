// The large picture: painted with a pointer or with keys.

import {element, onTheme} from '/page/dom.js';
import {ACTIONS, STEPS} from '/page/grid-map.js';
import {drawGrid, number, range, viridis} from '/page/grid-picture.js';

const KEYS = {ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3};
const TALLEST = 0.5;

export class Board {
  constructor(desk, brush) {
    this.desk = desk;
    this.brush = brush;
    this.cursor = null;
    this.canvas = element('canvas', {
      class: 'board', tabindex: 0, role: 'application', 'aria-roledescription': 'grid to paint on',
      'aria-label': 'Grid. Arrow keys move the cell cursor, space paints, G sets a goal, S the start.',
      'aria-describedby': 'board-says',
    });
    this.says = element('p', {id: 'board-says', class: 'note says', 'aria-live': 'polite'}, '\u00a0');
    this.scale = element('div', {class: 'scale', 'aria-hidden': 'true'});
    this.element = element('div', {class: 'board-place'}, this.canvas, this.scale);
    this.listen();
  }

  listen() {
    const {canvas} = this;
    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      const {width, height} = this.desk.map;
      return [
        Math.floor(((event.clientY - box.top) / box.height) * height),
        Math.floor(((event.clientX - box.left) / box.width) * width),
      ];
    };
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) {
        return;
      }
      event.preventDefault();
      canvas.focus({preventScroll: true});
      canvas.setPointerCapture(event.pointerId);
      this.cursor = null;
      this.last = at(event);
      this.brush.begin(this.last);
    });
    canvas.addEventListener('pointermove', (event) => {
      const cell = at(event);
      this.say(cell);
      if (this.last && cell.join() !== this.last.join()) {
        between(this.last, cell).forEach((each) => this.brush.stroke(each));
        this.last = cell;
      }
    });
    const end = () => {
      if (this.last) {
        this.last = null;
        this.brush.end();
      }
    };
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
    canvas.addEventListener('keydown', (event) => this.key(event));
    canvas.addEventListener('focus', () => this.draw());
    canvas.addEventListener('blur', () => this.draw());
    const stop = onTheme(() => this.draw());
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(this.element);
    this.close = () => {
      stop();
      this.resized.disconnect();
    };
  }

  key(event) {
    const {desk, brush} = this;
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key === 'z') {
        event.preventDefault();
        desk.undo();
      }
      return;
    }
    this.cursor ??= [...desk.map.cells[Math.max(0, desk.start)]];
    if (event.key in KEYS) {
      const [down, right] = STEPS[KEYS[event.key]];
      this.cursor = [
        Math.max(0, Math.min(desk.map.height - 1, this.cursor[0] + down)),
        Math.max(0, Math.min(desk.map.width - 1, this.cursor[1] + right)),
      ];
      if (event.shiftKey) {
        brush.once(this.cursor);
      }
    } else if (event.key === ' ' || event.key === 'Enter') {
      brush.once(this.cursor);
    } else if (!brush.shortcut(event.key, this.cursor)) {
      return;
    }
    event.preventDefault();
    this.say(this.cursor);
    this.draw();
  }

  // What is known of a cell, below the picture and for screen readers.
  say([row, column]) {
    const {desk} = this;
    this.said = [row, column];
    const state = desk.map.stateAt(row, column);
    if (state < 0) {
      this.says.textContent = row >= 0 && column >= 0 && row < desk.map.height && column < desk.map.width
        ? `row ${row}, column ${column}: a wall` : '\u00a0';
      return;
    }
    const answer = desk.answers.get(desk.solver);
    const paid = `row ${row}, column ${column}: reward ${number(desk.reward[state])}`;
    this.says.textContent = answer && desk.hasReward()
      ? `${paid}, value ${number(answer.values[state])}, action ${ACTIONS[answer.actions[state]]}`
        + (answer.wrong[state] ? ' (not optimal)' : '')
      : paid;
  }

  draw() {
    const {desk} = this;
    const answer = desk.hasReward() ? desk.answers.get(desk.solver) : null;
    drawGrid(this.canvas, desk.map, {
      values: answer?.values, actions: answer?.actions, wrong: answer?.wrong, path: answer?.path,
      rewards: desk.reward, start: desk.start, mark: desk.probing ? desk.probe.state : -1,
      cursor: document.activeElement === this.canvas ? this.cursor : null,
      width: Math.max(120, this.element.clientWidth - 64), height: Math.max(260, innerHeight * TALLEST),
    });
    this.drawScale(answer);
    if (this.said) {
      this.say(this.said);
    }
  }

  drawScale(answer) {
    this.scale.hidden = !answer;
    if (!answer) {
      return;
    }
    const [low, high] = range(answer.values);
    const colours = [0, 0.25, 0.5, 0.75, 1].map(viridis).join(', ');
    this.scale.replaceChildren(
      element('span', {}, number(high)), element('i', {}), element('span', {}, number(low)));
    this.scale.querySelector('i').style.background = `linear-gradient(to top, ${colours})`;
  }
}

// Every cell between two, so that a quick stroke leaves no gaps.
function between([fromRow, fromColumn], [toRow, toColumn]) {
  const count = Math.max(Math.abs(toRow - fromRow), Math.abs(toColumn - fromColumn));
  return Array.from({length: count}, (_, i) => [
    Math.round(fromRow + ((toRow - fromRow) * (i + 1)) / count),
    Math.round(fromColumn + ((toColumn - fromColumn) * (i + 1)) / count),
  ]);
}
