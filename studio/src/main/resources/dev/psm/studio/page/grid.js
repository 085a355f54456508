import {element} from '/page/dom.js';

export async function show(root) {
  root.append(element('h1', {}, 'grid'));
}
