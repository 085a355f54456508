// Taking hold of a body: a drag on one of its shapes is a spring to where the pointer is.

import * as THREE from 'three';
import {colour} from '/page/dom.js';

// Dragged by this much, in metres for a body as heavy as a person, a spring pulls with the body's own weight.
const WEIGHT_AT = 0.3;
const MOST_WEIGHTS = 2.5;
const SHOVE_WEIGHTS = 1.6;
const AGAIN_MILLISECONDS = 30;

export function hands(canvas, {lanes, area, look, push, release, free}) {
  const ray = new THREE.Raycaster();
  const plane = new THREE.Plane();
  const target = new THREE.Vector3();
  const grabbed = new THREE.Vector3();
  const force = new THREE.Vector3();
  const arrow = new THREE.ArrowHelper(new THREE.Vector3(1, 0, 0), new THREE.Vector3(), 1, 0xffffff);
  arrow.line.material.depthTest = arrow.cone.material.depthTest = false;
  arrow.renderOrder = 10;
  let held = null;
  let said = 0;

  function at(event) {
    const box = canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    const lane = lanes.findIndex((each, i) => {
      const place = area(i);
      return x >= place.x && x < place.x + place.width && y >= place.y && y < place.y + place.height;
    });
    return lane < 0 ? null : {lane, ...towards(lane, x, y)};
  }

  function towards(lane, x, y) {
    const place = area(lane);
    const camera = look(lane);
    ray.setFromCamera(new THREE.Vector2((2 * (x - place.x)) / place.width - 1, 1 - (2 * (y - place.y)) / place.height), camera);
    return {camera};
  }

  function hit(event) {
    const found = at(event);
    if (!found) {
      return null;
    }
    const [first] = ray.intersectObjects(lanes[found.lane].drawn().filter((each) => each.visible), false);
    const shape = first ? lanes[found.lane].index(first.object) : -1;
    return first && lanes[found.lane].pushable().includes(first.object) ? {...found, first, shape} : null;
  }

  function down(event) {
    if (event.button !== 0 || !event.isPrimary) {
      return;
    }
    const found = hit(event);
    if (!found) {
      return;
    }
    event.stopPropagation();
    canvas.focus({preventScroll: true});
    canvas.setPointerCapture(event.pointerId);
    const {first, lane, shape} = found;
    const box = canvas.getBoundingClientRect();
    held = {lane, shape, mesh: first.object, point: first.object.worldToLocal(first.point.clone()), pointer: event.pointerId, x: event.clientX - box.left, y: event.clientY - box.top};
    free(false);
    canvas.style.cursor = 'grabbing';
  }

  function move(event) {
    if (held?.pointer === event.pointerId) {
      event.stopPropagation();
      const box = canvas.getBoundingClientRect();
      held.x = event.clientX - box.left;
      held.y = event.clientY - box.top;
      hold();
    } else if (!event.buttons) {
      canvas.style.cursor = hit(event) ? 'grab' : '';
    }
  }

  function up(event) {
    if (held && (event.pointerId === undefined || held.pointer === event.pointerId)) {
      release(held.lane);
      held.mesh = null;
      held = null;
      free(true);
      canvas.style.cursor = '';
    }
  }

  // Says the force again as the body moves under the hand.
  function hold() {
    if (!held || performance.now() - said < AGAIN_MILLISECONDS) {
      return;
    }
    const weight = lanes[held.lane].weight();
    if (held.mesh) {
      grabbed.copy(held.point);
      held.mesh.localToWorld(grabbed);
      // The camera follows the body, so the same place on the screen is another one in the world.
      const {camera} = towards(held.lane, held.x, held.y);
      plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new THREE.Vector3()).negate(), grabbed);
      if (!ray.ray.intersectPlane(plane, target)) {
        return;
      }
      force.subVectors(target, grabbed).multiplyScalar(weight / WEIGHT_AT).clampLength(0, MOST_WEIGHTS * weight);
    } else {
      force.copy(held.direction).multiplyScalar(SHOVE_WEIGHTS * weight);
    }
    said = performance.now();
    push(held.lane, held.shape, held.point.toArray(), force.toArray());
  }

  function draw(lane) {
    if (arrow.parent && arrow.parent !== lanes[lane].scene) {
      return;
    }
    if (!held || held.lane !== lane) {
      arrow.removeFromParent();
      return;
    }
    const {scene} = lanes[lane];
    const mesh = held.mesh ?? lanes[lane].drawn()[held.shape];
    grabbed.copy(held.point);
    mesh.localToWorld(grabbed);
    const long = Math.max(0.05, (force.length() / lanes[lane].weight()) * WEIGHT_AT);
    arrow.position.copy(grabbed);
    arrow.setDirection(force.lengthSq() ? force.clone().normalize() : new THREE.Vector3(0, 0, 1));
    arrow.setLength(long, Math.min(0.12, 0.4 * long), Math.min(0.07, 0.25 * long));
    arrow.setColor(new THREE.Color(colour('series-2')));
    scene.add(arrow);
  }

  const listeners = [['pointerdown', down], ['pointermove', move], ['pointerup', up], ['pointercancel', up]];
  // Before the camera's own listeners, which then do not see what is meant for the body.
  listeners.forEach(([name, listener]) => canvas.addEventListener(name, listener, {capture: true}));

  return {
    hold,
    draw,
    // Pushes the heaviest part as seen from the camera: (1, 0) to the right, (0, 1) upward; none to stop.
    shove(lane, right, up) {
      if (right === undefined) {
        if (held && !held.mesh) {
          release(held.lane);
          held = null;
        }
        return;
      }
      const shape = lanes[lane].heaviest();
      if (shape < 0 || held?.mesh) {
        return;
      }
      const camera = look(lane);
      const direction = new THREE.Vector3(right, up, 0).applyQuaternion(camera.quaternion).normalize();
      held = {lane, shape, mesh: null, point: new THREE.Vector3(), direction};
      hold();
    },
    end: () => listeners.forEach(([name, listener]) => canvas.removeEventListener(name, listener, {capture: true})),
  };
}
