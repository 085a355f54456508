// Elements made in one expression: element('button', {class: 'primary', onclick: f}, 'Text', child).
// Attributes that are functions become listeners; false, null and undefined leave an attribute out. Text is never HTML.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      made.addEventListener(key.replace(/^on/, ''), value);
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(key, value === true ? '' : value);
    }
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

// Says something for a while at the top of the page; errors stay until the next notice.
export function notice(text, kind = 'info') {
  const place = document.getElementById('notice');
  place.textContent = text;
  place.className = kind;
  place.hidden = !text;
  clearTimeout(notice.timer);
  if (text && kind !== 'error') {
    notice.timer = setTimeout(() => (place.hidden = true), 4000);
  }
}

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    notice(`${what} copied`);
  } catch (error) {
    notice(`The browser did not let the page copy: ${error.message}`, 'error');
  }
}

// A colour of the present theme by the name of its CSS variable, for drawing on canvases.
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// Calls back when the theme changes, so that canvases can be drawn again; returns a function that ends it.
export function onTheme(callback) {
  document.addEventListener('themechange', callback);
  return () => document.removeEventListener('themechange', callback);
}

// Adds a sheet of styles that only some views need, once; resolves when it is there.
export function stylesheet(path) {
  const there = document.querySelector(`link[href="${path}"]`);
  if (there) {
    return Promise.resolve();
  }
  const link = element('link', {rel: 'stylesheet', href: path});
  const loaded = new Promise((done) => {
    link.onload = link.onerror = done;
  });
  document.head.append(link);
  return loaded;
}
