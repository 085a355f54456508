// Bodies in three dimensions: what the server says of shapes and places, a camera that follows, and hands that pull.

import * as THREE from 'three';
import {OrbitControls} from 'three/orbit';
import {onTheme} from '/page/dom.js';
import {hands} from '/page/body-hands.js';

const TILES = 40;
const FOLLOWING = 9;
const DENSITY = 1000;
const SOFTWARE_MILLISECONDS = 45;

const rgb = ([red, green, blue]) => new THREE.Color().setRGB(red, green, blue, THREE.SRGBColorSpace);

const isDark = () => (document.documentElement.dataset.theme
  ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

// MuJoCo's solids stand along z, those of three.js along y.
function geometry({kind, size: [a, b, c]}) {
  switch (kind) {
    case 'sphere': return new THREE.SphereGeometry(a, 32, 20);
    case 'capsule': return new THREE.CapsuleGeometry(a, 2 * b, 10, 24).rotateX(Math.PI / 2);
    case 'cylinder': return new THREE.CylinderGeometry(a, a, 2 * b, 32).rotateX(Math.PI / 2);
    case 'ellipsoid': return new THREE.SphereGeometry(1, 32, 20).scale(a, b, c);
    case 'box': return new THREE.BoxGeometry(2 * a, 2 * b, 2 * c);
    default: return new THREE.PlaneGeometry(2 * a, 2 * b);
  }
}

export function volume({kind, size: [a, b, c]}) {
  switch (kind) {
    case 'sphere': return (4 / 3) * Math.PI * a ** 3;
    case 'capsule': return Math.PI * a * a * (2 * b + (4 / 3) * a);
    case 'cylinder': return 2 * Math.PI * a * a * b;
    case 'ellipsoid': return (4 / 3) * Math.PI * a * b * c;
    case 'box': return 8 * a * b * c;
    default: return 0;
  }
}

function mesh(shape, ghost) {
  const material = new THREE.MeshLambertMaterial({
    color: rgb(shape.colour),
    transparent: ghost || shape.colour[3] < 1,
    opacity: shape.colour[3],
    depthWrite: !ghost,
  });
  const made = new THREE.Mesh(geometry(shape), material);
  made.castShadow = !ghost && shape.colour[3] === 1;
  made.receiveShadow = !ghost;
  return made;
}

const infinite = ({kind, size}) => kind === 'plane' && size[0] === 0;

function checker(look) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 128;
  const pen = tile.getContext('2d');
  const css = ([red, green, blue]) => `rgb(${[red, green, blue].map((share) => Math.round(255 * share)).join(' ')})`;
  pen.fillStyle = css(look.groundDark);
  pen.fillRect(0, 0, 128, 128);
  pen.fillStyle = css(look.groundLight);
  pen.fillRect(0, 0, 64, 64);
  pen.fillRect(64, 64, 64, 64);
  const texture = new THREE.CanvasTexture(tile);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.repeat.set(TILES, TILES);
  texture.anisotropy = 4;
  return texture;
}

// From the zenith down to the horizon, which is also the mist.
function sky(zenith, horizon) {
  const strip = document.createElement('canvas');
  strip.width = 2;
  strip.height = 256;
  const pen = strip.getContext('2d');
  const blend = pen.createLinearGradient(0, 0, 0, 256);
  blend.addColorStop(0, zenith.getStyle());
  blend.addColorStop(0.62, horizon.getStyle());
  pen.fillStyle = blend;
  pen.fillRect(0, 0, 2, 256);
  const texture = new THREE.CanvasTexture(strip);
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

// One body and what stands around it.
function lane() {
  const scene = new THREE.Scene();
  const air = new THREE.HemisphereLight(0xffffff, 0x8899aa, 1.5);
  const key = new THREE.DirectionalLight(0xffffff, 2.2);
  key.castShadow = true;
  key.shadow.mapSize.set(1024, 1024);
  key.shadow.bias = -0.0005;
  key.shadow.normalBias = 0.02;
  const side = key.shadow.camera;
  scene.add(air, key, key.target);
  const focus = new THREE.Vector3();
  const followed = new THREE.Vector3();
  let drawn = [];
  let ghosts = [];
  let shapes = [];
  let ground = null;
  let reach = 3;
  let fresh = true;
  let look = null;
  let episode = -1;

  function dress(message) {
    for (const each of [...drawn, ...ghosts, ground].filter(Boolean)) {
      scene.remove(each);
      each.geometry.dispose();
      each.material.map?.dispose();
      each.material.dispose();
    }
    ground = null;
    ({look} = message);
    shapes = message.shapes;
    drawn = shapes.map((shape) => {
      if (!infinite(shape)) {
        return mesh(shape, false);
      }
      const wide = 2 * look.square * TILES;
      ground = new THREE.Mesh(new THREE.PlaneGeometry(wide, wide), new THREE.MeshLambertMaterial({map: checker(look)}));
      ground.receiveShadow = true;
      return ground;
    });
    ghosts = message.ghost.map((shape) => mesh(shape, true));
    ghosts.forEach((each) => (each.visible = false));
    scene.add(...drawn, ...ghosts);
    const {eye, target} = message.camera;
    reach = Math.hypot(...eye.map((value, i) => value - target[i]));
    key.position.set(...look.light);
    side.left = side.bottom = -0.8 * reach;
    side.right = side.top = 0.8 * reach;
    side.near = 0.1;
    side.far = 6 * reach;
    side.updateProjectionMatrix();
    light();
    fresh = true;
  }

  function light() {
    if (!look) {
      return;
    }
    const dark = isDark();
    const horizon = dark ? rgb(look.zenith).multiplyScalar(0.16) : rgb(look.horizon);
    const zenith = rgb(look.zenith).multiplyScalar(dark ? 0.03 : 1);
    scene.background?.dispose();
    scene.background = sky(zenith, horizon);
    const extent = look.square * TILES;
    scene.fog = new THREE.Fog(horizon, 0.3 * extent, 0.95 * extent);
    air.intensity = dark ? 1.2 : 2;
    key.intensity = dark ? 1.9 : 2.6;
  }

  function place(meshes, numbers, jump) {
    const count = Math.min(meshes.length, numbers.length / 7);
    for (let i = 0; i < count; i++) {
      const [x, y, z, qx, qy, qz, qw] = numbers.subarray(7 * i, 7 * i + 7);
      const to = (meshes[i].userData.to ??= {at: new THREE.Vector3(), turn: new THREE.Quaternion()});
      const from = (meshes[i].userData.from ??= {at: new THREE.Vector3(), turn: new THREE.Quaternion()});
      from.at.copy(jump ? to.at.set(x, y, z) : to.at);
      from.turn.copy(jump ? to.turn.set(qx, qy, qz, qw) : to.turn);
      to.at.set(x, y, z);
      to.turn.set(qx, qy, qz, qw);
    }
  }

  function update(frame) {
    const jump = fresh || frame.episode !== episode;
    episode = frame.episode;
    place(drawn, frame.shapes, jump);
    place(ghosts, frame.ghost, fresh || !ghosts[0]?.visible || jump);
    ghosts.forEach((each) => (each.visible = frame.ghost.length > 0));
    focus.set(...frame.focus);
    if (jump) {
      followed.copy(focus);
    }
    fresh = false;
  }

  // Between the last two frames: smooth on any screen, one step late.
  function show(share, seconds) {
    for (const each of [...drawn, ...ghosts]) {
      const {from, to} = each.userData;
      if (to && each !== ground) {
        each.position.lerpVectors(from.at, to.at, share);
        each.quaternion.slerpQuaternions(from.turn, to.turn, share);
      }
    }
    followed.lerp(focus, 1 - Math.exp(-FOLLOWING * seconds));
    if (ground) {
      const tile = 2 * look.square;
      ground.position.set(Math.round(followed.x / tile) * tile, Math.round(followed.y / tile) * tile, ground.userData.to?.at.z ?? 0);
    }
    key.target.position.copy(followed);
    key.position.set(...(look?.light ?? [0, 0, 1])).multiplyScalar(3 * reach).add(followed);
  }

  return {
    scene, dress, light, update, show, followed,
    drawn: () => drawn,
    pushable: () => drawn.filter((each, i) => shapes[i].pushable),
    index: (each) => drawn.indexOf(each),
    // Of water's density, as MuJoCo takes it where a model says nothing; only the strength of hands depends on it.
    weight: () => 9.81 * DENSITY * shapes.filter(({pushable}) => pushable).reduce((sum, shape) => sum + volume(shape), 0),
    heaviest() {
      let best = -1;
      shapes.forEach((shape, i) => {
        if (shape.pushable && (best < 0 || volume(shape) > volume(shapes[best]))) {
          best = i;
        }
      });
      return best;
    },
  };
}

// Whether the processor has to draw, because there is no graphics card: then with less of everything.
function drawsInSoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const about = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

// `push` and `release` are called with what hands do to a lane.
export function stage(canvas, {push, release}) {
  let renderer;
  const software = drawsInSoftware();
  const pace = software ? SOFTWARE_MILLISECONDS : 0;
  try {
    renderer = new THREE.WebGLRenderer({canvas, antialias: !software});
  } catch (cause) {
    throw new Error('this browser cannot draw in three dimensions: WebGL is missing or switched off', {cause});
  }
  renderer.shadowMap.enabled = !software;
  renderer.shadowMap.type = THREE.PCFSoftShadowMap;
  renderer.setScissorTest(true);
  const lanes = [lane()];
  const camera = new THREE.PerspectiveCamera(45, 1, 0.02, 200);
  const eye = camera.clone();
  let controls = null;
  let home = null;
  let arrived = 0;
  let gap = 25;
  let before = performance.now();
  let slow = 0;
  let running = true;
  const endTheme = onTheme(() => lanes.forEach((each) => each.light()));

  // Where a lane is drawn, in CSS pixels from the top left: beside each other where there is room.
  function area(i) {
    const {clientWidth: width, clientHeight: height} = canvas;
    if (lanes.length === 1) {
      return {x: 0, y: 0, width, height};
    }
    return width >= height
      ? {x: (i * width) / 2, y: 0, width: width / 2, height}
      : {x: 0, y: (i * height) / 2, width, height: height / 2};
  }

  function look(i) {
    const {width, height} = area(i);
    eye.copy(camera);
    eye.position.add(lanes[i].followed);
    eye.aspect = width / Math.max(1, height);
    // Of a narrow picture the width counts, or the body would not be in it.
    eye.fov = eye.aspect < 1 ? (2 * Math.atan(Math.tan((camera.fov * Math.PI) / 360) / eye.aspect) * 180) / Math.PI : camera.fov;
    eye.fov = Math.min(100, eye.fov);
    eye.updateProjectionMatrix();
    eye.updateMatrixWorld();
    return eye;
  }

  const grip = hands(canvas, {lanes, area, look, push, release, free: (can) => controls && (controls.enabled = can)});

  function aim(message) {
    camera.up.set(...message.camera.up);
    camera.fov = message.camera.fieldOfView;
    camera.position.set(...message.camera.eye.map((value, i) => value - message.camera.target[i]));
    controls?.dispose();
    controls = new OrbitControls(camera, canvas);
    controls.enableDamping = true;
    controls.dampingFactor = 0.12;
    controls.minDistance = 0.15;
    controls.maxDistance = 40;
    controls.update();
    home = camera.position.clone();
  }

  function tick(now) {
    if (!running) {
      return;
    }
    requestAnimationFrame(tick);
    if (now - before < pace) {
      return;
    }
    const seconds = Math.min(0.1, (now - before) / 1000);
    before = now;
    const width = Math.round(canvas.clientWidth);
    const height = Math.round(canvas.clientHeight);
    if (!controls || !width || !height) {
      return;
    }
    const ratio = software ? 1 : Math.min(2, devicePixelRatio);
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      renderer.setPixelRatio(ratio);
      renderer.setSize(width, height, false);
    }
    controls.update();
    lanes.forEach((each, i) => {
      each.show(Math.min(1, (now - arrived) / gap), seconds);
      const {x, y, width: wide, height: high} = area(i);
      renderer.setViewport(x, height - y - high, wide, high);
      renderer.setScissor(x, height - y - high, wide, high);
      grip.draw(i);
      renderer.render(each.scene, look(i));
    });
    thrift(seconds);
  }

  // Shadows are the first thing to go where a machine draws slowly.
  function thrift(seconds) {
    slow = seconds > 0.045 ? slow + 1 : Math.max(0, slow - 1);
    if (slow > 25 && renderer.shadowMap.enabled) {
      renderer.shadowMap.enabled = false;
      lanes.forEach((each) => each.scene.traverse((child) => child.material && (child.material.needsUpdate = true)));
    }
  }
  requestAnimationFrame(tick);

  return {
    dress(message) {
      while (lanes.length <= message.lane) {
        lanes.push(lane());
      }
      if (!message.shapes) {
        return false;
      }
      lanes[message.lane].dress(message);
      if (!controls) {
        aim(message);
      }
      return true;
    },
    lanes(count) {
      while (lanes.length > count) {
        lanes.pop();
      }
      while (lanes.length < count) {
        lanes.push(lane());
      }
    },
    update(frame) {
      const now = performance.now();
      gap = Math.min(120, Math.max(8, 0.8 * gap + 0.2 * (now - arrived)));
      arrived = now;
      frame.lanes.forEach((each, i) => lanes[i]?.update(each));
      grip.hold();
    },
    // Turns the camera, in radians, and nears it by a factor.
    orbit(right, up, factor) {
      if (!controls) {
        return;
      }
      const axis = camera.up.clone().normalize();
      camera.position.applyAxisAngle(axis, -right);
      const across = new THREE.Vector3().crossVectors(camera.position, axis).normalize();
      const tilted = camera.position.clone().applyAxisAngle(across, up);
      if (tilted.angleTo(axis) > 0.15 && tilted.angleTo(axis) < Math.PI - 0.15) {
        camera.position.copy(tilted);
      }
      camera.position.multiplyScalar(factor);
    },
    home() {
      if (controls) {
        controls.target.set(0, 0, 0);
        camera.position.copy(home);
      }
    },
    shove: grip.shove,
    end() {
      running = false;
      endTheme();
      grip.end();
      controls?.dispose();
      renderer.dispose();
    },
  };
}
