// A map as the page knows it: its drawing, and its free cells in the order in which the server numbers them.

export const ACTIONS = ['up', 'right', 'down', 'left', 'stay'];
export const STEPS = [[-1, 0], [0, 1], [1, 0], [0, -1], [0, 0]];

export class GridMap {
  constructor({name, lines}) {
    this.name = name;
    this.lines = lines;
    this.height = lines.length;
    this.width = lines[0].length;
    this.cells = [];
    this.states = lines.map((line, row) =>
      [...line].map((cell, column) => (cell === '#' ? -1 : this.cells.push([row, column]) - 1)));
  }

  // -1 for a wall and for off the map.
  stateAt(row, column) {
    return this.states[row]?.[column] ?? -1;
  }

  get size() {
    return this.cells.length;
  }

  cellName(state) {
    return this.cells[state].join(',');
  }

  toJson() {
    return {name: this.name, lines: this.lines};
  }

  sameDrawing(other) {
    return this.lines.join('\n') === other.lines.join('\n');
  }

  // The same with cells made walls or free.
  withCells(cells, wall, name) {
    const rows = this.lines.map((line) => [...line]);
    cells.forEach(([row, column]) => (rows[row][column] = wall ? '#' : '.'));
    return new GridMap({name, lines: rows.map((row) => row.join(''))});
  }

  // What was on the cells of another map, for those that are still free.
  carry(values, from) {
    const carried = new Float64Array(this.size);
    from.cells.forEach(([row, column], state) => {
      const here = this.stateAt(row, column);
      if (here >= 0) {
        carried[here] = values[state];
      }
    });
    return carried;
  }
}
