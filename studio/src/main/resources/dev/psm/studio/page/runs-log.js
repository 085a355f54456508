// What a run has logged so far, seed by seed; asked for bit by bit while it grows.

import {post} from '/page/api.js';

const MAX_LINES = 4000;
const GRADE = /^(return|error)\//;
const GOALS = new Set(['success', 'success_at_end', 'final_distance']);

export const isGrade = (name) => GRADE.test(name) || GOALS.has(name);

export const isMilestone = (name) => name.startsWith('milestone/');

export class RunLog {
  constructor(id) {
    this.id = id;
    this.seeds = new Map();
    this.finished = false;
  }

  // Resolves to whether anything is new; who asks while it is being read waits for the same, or lines would come twice.
  read() {
    this.reading ??= this.readOn().finally(() => (this.reading = null));
    return this.reading;
  }

  async readOn() {
    const marks = Object.fromEntries([...this.seeds].map(([seed, {mark}]) => [seed, mark]));
    const answer = await post('/api/runs/curves', {run: this.id, marks});
    let news = answer.finished !== this.finished;
    this.finished = answer.finished;
    for (const [seed, {mark, anew, lines, problem, every}] of Object.entries(answer.seeds)) {
      const known = this.seeds.get(seed);
      const log = known && !anew ? known : {lines: [], every: 1};
      log.mark = mark;
      log.problem = problem ?? (anew ? undefined : log.problem);
      log.every = Math.max(log.every, every);
      log.lines = thin(log.lines.concat(lines), log);
      this.seeds.set(seed, log);
      news ||= lines.length > 0 || (anew && Boolean(known));
    }
    return news;
  }

  problems() {
    return [...this.seeds].filter(([, {problem}]) => problem).map(([seed, {problem}]) => `seed ${seed}: ${problem}`);
  }

  thinned() {
    return Math.max(1, ...[...this.seeds.values()].map(({every}) => every));
  }

  // Everything logged, in the order of the log.
  names() {
    const names = new Set();
    for (const {lines} of this.seeds.values()) {
      // Lines of a kind have the same names, and kinds come early and again and again.
      for (const {values} of [...lines.slice(0, 50), ...lines.slice(-50)]) {
        Object.keys(values).forEach((name) => names.add(name));
      }
    }
    return names;
  }

  // One curve per seed: [seed, [[step, value]]].
  curves(name) {
    return [...this.seeds].map(([seed, {lines}]) =>
      [seed, lines.filter(({values}) => name in values).map(({step, values}) => [step, values[name]])])
      .filter(([, points]) => points.length);
  }

  // The mean over seeds, at steps that all have reached.
  mean(name) {
    const curves = this.curves(name);
    if (curves.length <= 1) {
      return curves[0]?.[1] ?? [];
    }
    const sums = new Map();
    curves.forEach(([, points]) => points.forEach(([step, value]) => {
      const sum = sums.get(step) ?? [0, 0];
      sums.set(step, [sum[0] + value, sum[1] + 1]);
    }));
    return [...sums].filter(([, [, count]]) => count === curves.length).map(([step, [sum, count]]) => [step, sum / count])
      .sort(([a], [b]) => a - b);
  }

  lastStep() {
    return Math.max(0, ...[...this.seeds.values()].map(({lines}) => lines.at(-1)?.step ?? 0));
  }
}

function thin(lines, log) {
  if (lines.length <= MAX_LINES) {
    return lines;
  }
  log.every *= 2;
  let index = 0;
  return lines.filter(({values}) => Object.keys(values).some(isGrade) || index++ % 2 === 0);
}
