// Runs: what they log as they learn, compared with each other; their settings and where they come from.

import {get, post} from '/page/api.js';
import {LineChart, short} from '/page/chart.js';
import {colour, element, onTheme, stylesheet} from '/page/dom.js';
import {RunLog, isGrade, isMilestone} from '/page/runs-log.js';

// What evaluations are called in a log, in words; other names are explained on the algorithms' pages.
const WORDS = {
  'error/goals': 'wrong actions over all goals, %',
  'error/rewards': 'value lost on other rewards, %',
  'return/average': 'return, average over tasks',
  success: 'share of goals reached',
  success_at_end: 'share of goals held at the last step',
  final_distance: 'distance to the goal at the last step',
};
const COLOURS = 6;
const LIST_EVERY = 3000;
const LOG_EVERY = 1000;

export async function show(root, {query}) {
  await stylesheet('/page/runs.css');
  const view = new RunsView(root, query.getAll('run'));
  await view.refresh();
  if (!view.chosen.size && view.runs.length) {
    const newest = view.runs.filter(({error}) => !error).sort((a, b) => a.secondsSinceWritten - b.secondsSinceWritten)[0];
    if (newest) {
      view.choose(newest.id, true);
    }
  }
  view.tick();
  return () => view.close();
}

class RunsView {
  constructor(root, wanted) {
    this.runs = [];
    this.chosen = new Map();
    this.wanted = wanted;
    this.charts = new Map();
    this.log = false;
    this.filter = '';
    this.rows = new Map();
    this.list = element('tbody', {});
    this.empty = element('p', {class: 'note'});
    this.legend = element('ul', {class: 'legend', 'aria-label': 'Chosen runs'});
    this.problems = element('div', {role: 'status'});
    this.grades = element('div', {class: 'charts'});
    this.milestones = element('div', {class: 'charts'});
    this.training = element('div', {class: 'charts'});
    this.last = element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Last evaluation'});
    this.settings = element('div', {});
    const search = element('input', {
      type: 'search', placeholder: 'Find by folder, agent or world', 'aria-label': 'Find runs',
      oninput: ({target}) => {
        this.filter = target.value.toLowerCase();
        this.drawList();
      },
    });
    const log = element('button', {
      type: 'button', 'aria-pressed': 'false', onclick: () => {
        this.log = !this.log;
        log.setAttribute('aria-pressed', String(this.log));
        this.draw();
      },
    }, 'Logarithmic');
    root.append(
      element('h1', {}, 'Runs'),
      element('section', {class: 'panel', 'aria-label': 'All runs'},
        element('div', {class: 'row spread'}, search, this.empty),
        element('div', {class: 'scroll run-list', tabindex: 0, role: 'region', 'aria-label': 'List of runs'}, element('table', {},
          element('thead', {}, element('tr', {}, ['Show', 'Run', 'Agent', 'World', 'Progress', 'Latest'].map((title) => element('th', {scope: 'col'}, title)))),
          this.list))),
      this.panel = element('section', {class: 'panel', 'aria-label': 'Curves', hidden: true},
        element('div', {class: 'row spread'}, this.legend, log), this.problems,
        this.gradesTitle = element('h2', {}, 'Evaluations'), this.grades,
        this.lastTitle = element('h2', {}, 'Last evaluation'), this.last,
        this.milestonesTitle = element('h2', {}, 'Milestones, shares of episodes'), this.milestones,
        element('h2', {}, 'Training'), this.training,
        element('h2', {}, 'Settings and provenance'), this.settings));
    this.stop = onTheme(() => this.draw());
  }

  async refresh() {
    this.runs = (await get('/api/runs')).runs;
    for (const id of this.wanted.splice(0)) {
      if (this.runs.some((run) => run.id === id)) {
        await this.choose(id, true);
      }
    }
    this.drawList();
  }

  // Asks again and again; an error is told and does not end it.
  async tick() {
    let last = performance.now();
    const again = async () => {
      try {
        let news = false;
        for (const one of this.chosen.values()) {
          if (!one.log.settled) {
            news = (await this.read(one)) || news;
          }
        }
        if (performance.now() - last > LIST_EVERY) {
          last = performance.now();
          await this.refresh();
        }
        if (news) {
          this.draw();
        }
      } catch (error) {
        this.empty.textContent = error.message;
      }
      if (!this.closed) {
        this.timer = setTimeout(again, LOG_EVERY);
      }
    };
    this.timer = setTimeout(again, LOG_EVERY);
  }

  // What is finished was finished when it was read to its end.
  async read(one) {
    const news = await one.log.read();
    one.log.settled = one.log.finished && !news;
    return news;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.stop();
  }

  async choose(id, on) {
    if (on && !this.chosen.has(id)) {
      const taken = new Set([...this.chosen.values()].map(({number}) => number));
      let number = 1;
      while (taken.has(number)) {
        number++;
      }
      const one = {id, number, log: new RunLog(id)};
      this.chosen.set(id, one);
      try {
        one.about = await post('/api/runs/about', {run: id});
        await this.read(one);
      } catch (error) {
        one.error = error.message;
      }
    } else if (!on) {
      this.chosen.delete(id);
    }
    const query = [...this.chosen.keys()].map((each) => `run=${encodeURIComponent(each)}`).join('&');
    if (!this.closed) {
      history.replaceState(null, '', `#/runs${query ? `?${query}` : ''}`);
    }
    this.drawList();
    this.draw();
    this.drawSettings();
  }

  // As many of a folder's last names as tell it from the other chosen ones.
  short(id) {
    const others = [...this.chosen.keys()].filter((each) => each !== id);
    const names = id.split('/');
    for (let from = names.length - 1; from > 0; from--) {
      const name = names.slice(from).join('/');
      if (others.every((other) => !`/${other}`.endsWith(`/${name}`))) {
        return name;
      }
    }
    return id;
  }

  colour(one) {
    return colour(`series-${((one.number - 1) % COLOURS) + 1}`);
  }

  drawList() {
    const found = this.runs.filter((run) =>
      !this.filter || `${run.id} ${run.title ?? ''} ${run.world ?? ''}`.toLowerCase().includes(this.filter));
    this.empty.textContent = this.runs.length === 0
      ? 'No runs yet: pretrain one on the grids’ page, or by ./psm pretrain.'
      : `${found.length === this.runs.length ? '' : `${found.length} of `}${this.runs.length} runs`;
    const rows = found.map((run) => this.row(run));
    if (rows.length !== this.list.children.length || rows.some((row, i) => row !== this.list.children[i])) {
      this.list.replaceChildren(...rows);
    }
  }

  row(run) {
    if (!this.rows.has(run.id)) {
      const box = element('input', {type: 'checkbox', 'aria-label': `Show ${run.id}`, onchange: ({target}) => this.choose(run.id, target.checked)});
      const cells = Array.from({length: 4}, () => element('td', {}));
      const name = element('td', {class: 'mono name'}, element('label', {}, run.id));
      name.firstChild.addEventListener('click', () => box.click());
      this.rows.set(run.id, Object.assign(element('tr', {}, element('td', {}, box), name, cells), {box, texts: cells}));
    }
    const row = this.rows.get(run.id);
    row.box.checked = this.chosen.has(run.id);
    const [agent, world, progress, latest] = row.texts;
    if (run.error) {
      agent.replaceChildren(element('span', {class: 'failed'}, run.error));
      agent.colSpan = 4;
      [world, progress, latest].forEach((each) => (each.hidden = true));
      return row;
    }
    const log = this.chosen.get(run.id)?.log;
    agent.textContent = `${run.title}${run.seeds.length > 1 ? ` × ${run.seeds.length}` : ''}`;
    world.textContent = run.world;
    progress.textContent = run.finished ? `${run.endedAt} steps`
      : `${log ? `${log.lastStep()} of ` : 'of '}${run.steps}, written ${ago(run.secondsSinceWritten)}`;
    const grade = log?.mean(run.headline).at(-1);
    latest.textContent = grade ? `${run.headline} ${short(grade[1])}` : '';
    return row;
  }

  draw() {
    const chosen = [...this.chosen.values()];
    this.panel.hidden = !chosen.length;
    this.legend.replaceChildren(...chosen.map((one) => {
      const swatch = element('i', {});
      swatch.style.background = this.colour(one);
      return element('li', {title: one.id}, swatch, this.short(one.id), element('button', {
        type: 'button', class: 'quiet', 'aria-label': `Hide ${one.id}`, onclick: () => this.choose(one.id, false),
      }, '×'));
    }));
    this.problems.replaceChildren(...chosen.flatMap((one) => [
      ...(one.error ? [one.error] : []),
      ...one.log.problems().map((text) => `${one.id}, ${text}; the line is passed over`),
      ...(one.log.thinned() > 1 ? [`${one.id}: one of ${one.log.thinned()} lines is drawn`] : []),
    ]).map((text) => element('p', {class: 'note'}, text)));
    const names = new Set(chosen.flatMap(({log}) => [...log.names()]));
    const grades = [...names].filter(isGrade).sort((a, b) => order(a) - order(b));
    const milestones = [...names].filter(isMilestone);
    this.place(this.grades, grades, chosen);
    this.place(this.milestones, milestones, chosen);
    this.place(this.training, [...names].filter((name) => !isGrade(name) && !isMilestone(name)), chosen);
    this.gradesTitle.hidden = this.lastTitle.hidden = !grades.length;
    this.milestonesTitle.hidden = !milestones.length;
    this.drawLast(grades, chosen);
  }

  place(where, names, chosen) {
    const figures = names.map((name) => {
      if (!this.charts.has(name)) {
        const chart = new LineChart(name);
        chart.figure = element('figure', {'data-metric': name}, element('figcaption', {}, name, element('span', {class: 'note'}, WORDS[name] ? ` ${WORDS[name]}` : '')), chart.element);
        this.charts.set(name, chart);
      }
      const chart = this.charts.get(name);
      chart.draw(chosen.flatMap((one) => {
        const curves = one.log.curves(name);
        const label = chosen.length > 1 ? this.short(one.id) : curves.length > 1 ? 'mean' : 'value';
        const seeds = curves.length > 1 ? curves.map(([seed, points]) => ({label: `seed ${seed}`, colour: this.colour(one), points, thin: true})) : [];
        return [...seeds, {label, colour: this.colour(one), points: one.log.mean(name)}];
      }), {log: this.log});
      return chart.figure;
    });
    if (figures.length !== where.children.length || figures.some((each, i) => each !== where.children[i])) {
      where.replaceChildren(...figures);
    }
  }

  // The newest of every grade, run beside run.
  drawLast(grades, chosen) {
    this.last.replaceChildren(element('table', {},
      element('thead', {}, element('tr', {}, element('th', {scope: 'col'}, 'Task'),
        chosen.map(({id}) => element('th', {scope: 'col', class: 'number'}, this.short(id))))),
      element('tbody', {}, grades.map((name) => element('tr', {}, element('th', {scope: 'row'}, name),
        chosen.map(({log}) => {
          const ends = log.curves(name).map(([, points]) => points.at(-1)[1]);
          return element('td', {class: 'number'}, ends.length ? spread(ends) : '–');
        }))))));
  }

  drawSettings() {
    const chosen = [...this.chosen.values()].filter(({about}) => about);
    const tables = chosen.map(({about}) => flat({
      agent: about.description.agent, preset: about.description.preset, settings: about.description.settings,
      seeds: about.description.seeds.join(', '), data: about.description.data}));
    const keys = [...new Set(tables.flatMap((table) => [...table.keys()]))];
    const differ = keys.filter((key) => new Set(tables.map((table) => table.get(key))).size > 1);
    this.settings.replaceChildren(
      ...(chosen.length > 1 ? [element('h3', {}, differ.length ? 'What differs' : 'The settings are the same'),
        element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'What differs'}, element('table', {}, element('tbody', {}, differ.map((key) =>
          element('tr', {}, element('th', {scope: 'row'}, key), tables.map((table) => element('td', {class: 'mono'}, table.get(key) ?? '–')))))))] : []),
      ...chosen.map(({id, about}) => element('details', {}, element('summary', {}, id),
        element('pre', {tabindex: 0, 'aria-label': `Description of ${id}`}, JSON.stringify({...about.description, ...(about.result ? {result: about.result} : {})}, null, 2)))));
  }
}

const order = (name) => (/(average|error\/goals|^success$)/.test(name) ? 0 : 1);

const ago = (seconds) => (seconds < 90 ? `${Math.max(0, seconds)} s ago` : seconds < 5400 ? `${Math.round(seconds / 60)} min ago`
  : seconds < 129600 ? `${Math.round(seconds / 3600)} h ago` : `${Math.round(seconds / 86400)} days ago`);

function spread(values) {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  if (values.length === 1) {
    return short(mean);
  }
  const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / (values.length - 1);
  return `${short(mean)} ± ${short(+Math.sqrt(variance).toPrecision(2))}`;
}

// Nested settings as one table: a.b → text.
function flat(node, prefix = '', into = new Map()) {
  for (const [key, value] of Object.entries(node)) {
    if (value !== null && typeof value === 'object') {
      flat(value, `${prefix}${key}.`, into);
    } else {
      into.set(prefix + key, String(value));
    }
  }
  return into;
}
