// What is being looked at on the grids' view, and the questions to the server that follow from it. Views of it listen
// for `change` (what was painted, chosen or answered) and draw what concerns them.

import {get, post} from '/page/api.js';
import {GridMap} from '/page/grid-map.js';
import {latest} from '/page/latest.js';

export const EXACT = 'exact';
const MAX_UNDO = 100;

export class Desk extends EventTarget {
  constructor(overview) {
    super();
    this.takeOverview(overview);
    this.answers = new Map();
    this.errors = new Map();
    this.method = 'gpi';
    this.solver = EXACT;
    this.formula = null;
    this.undone = [];
    this.askers = new Map();
    this.probe = {state: 0, action: 1};
  }

  takeOverview({maps, learners, agents, folder, jobs}) {
    Object.assign(this, {maps, learners, agents, folder, jobs});
  }

  async refresh() {
    this.takeOverview(await get('/api/grids'));
  }

  tell(what) {
    this.dispatchEvent(new CustomEvent('change', {detail: what}));
  }

  // Another map; rewards stay on the cells that both have.
  open(map, {keep = false} = {}) {
    const before = this.map;
    this.map = map;
    this.reward = keep && before ? map.carry(this.reward, before) : new Float64Array(map.size);
    this.formula = null;
    this.undone = [];
    const start = keep && before && this.start >= 0 ? map.stateAt(...before.cells[this.start]) : -1;
    this.start = start;
    this.probe = {state: Math.min(this.probe.state, map.size - 1), action: this.probe.action};
    this.answers.clear();
    this.errors.clear();
    this.askers.clear();
    const solvers = this.solvers();
    if (!solvers.some(({id}) => id === this.solver)) {
      this.solver = (solvers.find(({agent}) => agent === 'psm') ?? solvers[0]).id;
    }
    this.tell('map');
    this.solve();
  }

  // The exact solution, and the agents that learned this very map.
  solvers() {
    const place = ({agent}) => this.learners.findIndex(({id}) => id === agent);
    const own = this.agents.filter(({map}) => this.map.sameDrawing(map)).sort((a, b) => place(a) - place(b));
    return [{id: EXACT, agent: EXACT, title: 'Exact'}, ...own];
  }

  agentOf(id) {
    return this.solvers().find((each) => each.id === id);
  }

  choose(solver) {
    this.solver = solver;
    this.tell('solver');
    this.solve();
  }

  setMethod(method) {
    this.method = method;
    this.solve();
  }

  hasReward() {
    return this.reward.some((each) => each !== this.reward[0]);
  }

  // Keeps what was there, so that a stroke can be taken back.
  remember() {
    this.undone.push({reward: this.reward.slice(), formula: this.formula});
    this.undone.splice(0, Math.max(0, this.undone.length - MAX_UNDO));
  }

  undo() {
    const last = this.undone.pop();
    if (last) {
      Object.assign(this, last);
      this.tell('reward');
      this.solve();
    }
  }

  paint(states, value) {
    for (const state of states) {
      this.reward[state] = value;
    }
    this.formula = null;
    this.tell('reward');
    this.solve();
  }

  setReward(reward, formula) {
    this.reward = Float64Array.from(reward);
    this.formula = formula;
    this.tell('reward');
    this.solve();
  }

  setGoal(state) {
    const [row, column] = this.map.cells[state];
    const reward = new Float64Array(this.map.size);
    reward[state] = 1;
    this.setReward(reward, `row == ${row} && col == ${column}`);
  }

  // The goal, where the reward is one.
  goal() {
    const paid = [...this.reward.keys()].filter((state) => this.reward[state] !== 0);
    return paid.length === 1 && this.reward[paid[0]] === 1 ? paid[0] : -1;
  }

  setStart(state) {
    this.start = state;
    this.tell('start');
    this.solve();
  }

  setProbe(probe) {
    Object.assign(this.probe, probe);
    this.tell('probe');
  }

  question(solver) {
    const question = {map: this.map.toJson(), solver, reward: [...this.reward]};
    if (this.agentOf(solver)?.agent === 'psm') {
      question.method = this.method;
    }
    return question;
  }

  // The solver that is looked at first; then, when it has caught up, the others.
  async solve() {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    this.tell('question');
    if (!this.answers.has(this.solver)) {
      // An agent's first answer waits until it is loaded; the exact one need not.
      this.ask(EXACT);
    }
    await this.ask(this.solver);
    for (const {id} of this.solvers()) {
      if (turn === this.turn && id !== this.solver) {
        await this.ask(id);
      }
    }
  }

  ask(solver) {
    if (!this.askers.has(solver)) {
      const map = this.map;
      this.askers.set(solver, latest(() => this.answer(solver, map)));
    }
    return this.askers.get(solver)();
  }

  async answer(solver, map) {
    const {turn} = this;
    const question = this.question(solver);
    if (this.start >= 0) {
      question.start = this.start;
    }
    try {
      const answer = await post('/api/grids/solve', question);
      if (map === this.map) {
        answer.turn = turn;
        this.answers.set(solver, answer);
        this.errors.delete(solver);
        this.tell('answer');
      }
    } catch (error) {
      if (map === this.map) {
        // An answer to another reward would pass for one to this.
        this.answers.delete(solver);
        this.errors.set(solver, error.message);
        this.tell('answer');
      }
    }
  }

  // Reads a map that was drawn or loaded; refused in words where it is none.
  static async check(name, text) {
    return new GridMap(await post('/api/grids/check', {name, text}));
  }
}
