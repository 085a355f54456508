// The page's frame: finds the view that the address names, shows it, and lets it go when another is asked for.
// A view is a module with `show(root, parameters)`, which returns a function that ends it.

import {get} from '/page/api.js';
import {element, notice} from '/page/dom.js';

const VIEWS = [
  {name: 'home', title: 'Models'},
  {name: 'grid', title: 'Grids'},
  {name: 'body', title: 'Bodies'},
  {name: 'runs', title: 'Runs'},
  {name: 'toy', title: 'Theory'},
];

let leave = () => {};
let visits = 0;

function address() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [view = '', ...rest] = path.split('/');
  return {
    view: VIEWS.find((each) => each.name === view)?.name ?? 'home',
    path: rest.map(decodeURIComponent),
    query: new URLSearchParams(query),
  };
}

async function show() {
  const visit = ++visits;
  const wanted = address();
  const root = document.getElementById('view');
  leave();
  leave = () => {};
  notice('');
  root.replaceChildren(element('p', {class: 'waiting'}, 'Loading…'));
  root.dataset.view = wanted.view;
  document.title = `${VIEWS.find(({name}) => name === wanted.view).title} · psm studio`;
  for (const link of document.querySelectorAll('header nav a')) {
    link.removeAttribute('aria-current');
    if (link.dataset.view === wanted.view) {
      link.setAttribute('aria-current', 'page');
      link.scrollIntoView({inline: 'center', block: 'nearest'});
    }
  }
  try {
    const view = await import(`/page/${wanted.view}.js`);
    if (visit !== visits) {
      return;
    }
    root.replaceChildren();
    const end = (await view.show(root, wanted)) ?? (() => {});
    if (visit !== visits) {
      end();
      return;
    }
    leave = end;
  } catch (error) {
    console.error(error);
    root.replaceChildren(element('p', {class: 'failed', role: 'alert'}, error.message));
  }
}

function theme() {
  const stored = localStorage.getItem('theme');
  if (stored) {
    document.documentElement.dataset.theme = stored;
  }
  document.getElementById('theme').addEventListener('click', () => {
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
    localStorage.setItem('theme', document.documentElement.dataset.theme);
    document.dispatchEvent(new Event('themechange'));
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
    document.dispatchEvent(new Event('themechange')));
}

document.querySelector('header nav').append(
  ...VIEWS.map(({name, title}) => element('a', {href: `#/${name}`, 'data-view': name}, title)));
theme();
addEventListener('hashchange', show);
show();
get('/api/about').then(({version}) => (document.querySelector('.brand').title = version)).catch(() => {});
