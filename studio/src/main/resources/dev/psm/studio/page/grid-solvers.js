// Who answers: small pictures of all solvers side by side, to be chosen from; and pretraining of those that are missing.

import {connect, post} from '/page/api.js';
import {element, notice} from '/page/dom.js';
import {EXACT} from '/page/grid-desk.js';
import {drawGrid} from '/page/grid-picture.js';

const THUMBNAIL = 92;

export class Solvers {
  constructor(desk) {
    this.desk = desk;
    // What was over when the page was made is in its agents already.
    this.jobs = desk.jobs;
    this.cards = new Map();
    this.list = element('ul', {class: 'solvers'});
    this.where = element('p', {class: 'note'});
    this.element = element('section', {'aria-labelledby': 'solvers-title'},
      element('h2', {id: 'solvers-title'}, 'Who answers'), this.list, this.where);
    this.socket = connect('/api/grids/jobs', {
      open: () => {},
      message: ({jobs}) => this.takeJobs(jobs),
    });
    this.close = () => this.socket.close();
  }

  async takeJobs(jobs) {
    const before = new Map(this.jobs.map((job) => [job.job, job.state]));
    this.jobs = jobs;
    const ended = jobs.filter(({job, state}) => state === 'done' && before.get(job) !== 'done');
    if (ended.length) {
      await this.desk.refresh();
      const own = ended.find(({map}) => this.desk.map.sameDrawing(map));
      if (own) {
        this.desk.tell('agents');
        if (own.agent === 'psm' && this.desk.solver === EXACT && !this.chosen) {
          this.desk.choose(own.model);
        } else {
          this.desk.solve();
        }
      }
    }
    for (const {job, state, error} of jobs) {
      if (state === 'failed' && before.get(job) !== 'failed') {
        notice(error, 'error');
      }
    }
    this.draw();
  }

  async pretrain(agent) {
    try {
      await post('/api/grids/pretrain', {map: this.desk.map.toJson(), agent});
    } catch (error) {
      notice(error.message, 'error');
    }
  }

  draw() {
    const {desk} = this;
    const cards = desk.solvers().map((solver) => this.solverCard(solver));
    const there = new Set(desk.solvers().map(({agent}) => agent));
    const missing = desk.learners.filter(({id}) => !there.has(id)).map((learner) => this.missingCard(learner));
    const wanted = [...cards, ...missing];
    if (wanted.length !== this.list.children.length || wanted.some((each, i) => each !== this.list.children[i])) {
      this.list.replaceChildren(...wanted);
    }
    this.where.textContent = `Agents pretrained here go to ${desk.folder}; every command takes them.`;
  }

  card(key, make) {
    if (!this.cards.has(key)) {
      this.cards.set(key, make());
    }
    return this.cards.get(key);
  }

  solverCard(solver) {
    const {desk} = this;
    const card = this.card(`solver ${solver.id}`, () => {
      const canvas = element('canvas', {'aria-hidden': 'true'});
      const title = element('strong', {}, solver.title);
      const words = element('span', {class: 'note'});
      const button = element('button', {
        type: 'button', class: 'solver', 'data-solver': solver.id, 'data-agent': solver.agent,
        onclick: () => {
          this.chosen = true;
          desk.choose(solver.id);
        },
      }, canvas, title, words);
      const item = element('li', {}, button);
      return Object.assign(item, {canvas, words, button, titleText: title});
    });
    const answer = desk.hasReward() ? desk.answers.get(solver.id) : null;
    const several = desk.solvers().filter(({agent}) => agent === solver.agent).length > 1;
    card.titleText.textContent = several ? solver.id : solver.title;
    card.button.setAttribute('aria-pressed', String(desk.solver === solver.id));
    const error = desk.errors.get(solver.id);
    card.words.replaceChildren(...(error ? [error] : answer ? words(solver, answer) : ['\u00a0'])
      .map((line) => element('span', {}, line)));
    card.button.title = solver.folder ?? 'Value iteration on the known dynamics';
    drawGrid(card.canvas, desk.map, {
      values: answer?.values, actions: answer?.actions, wrong: answer?.wrong, width: THUMBNAIL, height: THUMBNAIL,
    });
    return card;
  }

  missingCard({id, title}) {
    const {desk} = this;
    const job = this.jobs.findLast?.((each) => each.agent === id && desk.map.sameDrawing(each.map));
    const busy = job && (job.state === 'running' || job.state === 'waiting');
    const card = this.card(`missing ${id}`, () => {
      const bar = element('progress', {'aria-label': `Pretraining of ${title}`, max: 1, value: 0});
      const words = element('span', {class: 'note'});
      const button = element('button', {type: 'button'});
      return Object.assign(
        element('li', {class: 'missing', 'data-learner': id}, element('strong', {}, title), words, bar, button), {bar, words, button});
    });
    card.bar.hidden = !busy;
    if (busy) {
      card.bar.max = Math.max(1, job.total);
      card.bar.value = job.done;
      card.words.textContent = job.state === 'waiting' ? 'waits for its turn'
        : `${Math.floor((100 * job.done) / Math.max(1, job.total))} % of ${job.total} steps${job.note ? `, ${job.note}` : ''}`;
      card.button.textContent = 'Stop';
      card.button.onclick = () => post('/api/grids/stop', {job: job.job}).catch((error) => notice(error.message, 'error'));
    } else {
      card.words.textContent = job?.state === 'stopped' ? `stopped at step ${job.done}`
        : job?.state === 'failed' ? job.error : 'has not learned this map';
      card.button.textContent = job?.state === 'stopped' ? `Go on with ${title}` : `Pretrain ${title}`;
      card.button.onclick = () => this.pretrain(id);
    }
    return card;
  }
}

const percent = (share) => `${(100 * share).toFixed(share && share < 0.0995 ? 1 : 0)} %`;

function words(solver, answer) {
  if (solver.id === EXACT) {
    return ['optimal', `${answer.millis.toFixed(0)} ms`];
  }
  return [`${percent(answer.wrongShare)} wrong`, `${percent(answer.loss)} lost`, `${answer.millis.toFixed(0)} ms`];
}
