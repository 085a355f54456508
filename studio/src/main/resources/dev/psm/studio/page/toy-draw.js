// Shapes of the theory's pictures. Pairs are numbered (s₀,a₀), (s₀,a₁), (s₁,a₀), (s₁,a₁); a₀ swaps the states, a₁ stays.

const NS = 'http://www.w3.org/2000/svg';

export const PAIRS = ['s₀ swap', 's₀ stay', 's₁ swap', 's₁ stay'];

export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      made.addEventListener(key.replace(/^on/, ''), value);
    } else if (value !== false && value !== undefined) {
      made.setAttribute(key, value);
    }
  }
  made.append(...children.flat());
  return made;
}

export const round = (value, digits = 3) => (Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value).toFixed(digits).replace('-', '−');

// Corners in the order in which an outline passes them.
export function around(corners, place) {
  const points = corners.map((corner) => ({corner, at: place(corner)}));
  const x = points.reduce((sum, {at}) => sum + at[0], 0) / points.length;
  const y = points.reduce((sum, {at}) => sum + at[1], 0) / points.length;
  return points.sort((a, b) => Math.atan2(a.at[1] - y, a.at[0] - x) - Math.atan2(b.at[1] - y, b.at[0] - x));
}

export const actions = (policy) => policy.map((action) => (action === 0 ? 'swap' : 'stay')).join(', ');

// Calls back with the pointer's place in the picture's own units, from press to release.
export function dragging(shape, move) {
  shape.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    shape.focus?.({preventScroll: true});
    shape.setPointerCapture(event.pointerId);
    const at = (each) => {
      const whole = shape.ownerSVGElement ?? shape;
      const point = new DOMPoint(each.clientX, each.clientY).matrixTransform(whole.getScreenCTM().inverse());
      return [point.x, point.y];
    };
    let last = at(event);
    const follow = (each) => {
      const here = at(each);
      move(here, [here[0] - last[0], here[1] - last[1]]);
      last = here;
    };
    const end = () => {
      shape.removeEventListener('pointermove', follow);
      shape.removeEventListener('pointerup', end);
      shape.removeEventListener('pointercancel', end);
    };
    shape.addEventListener('pointermove', follow);
    shape.addEventListener('pointerup', end);
    shape.addEventListener('pointercancel', end);
  });
}
