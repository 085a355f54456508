package dev.psm.view.render;

import dev.psm.core.scene.Look;

/**
 * Follows rays from the eye and leaves each ray's light, and marks by which edges are found, in its
 * fields. One tracer serves one thread.
 */
final class Tracer {
  private static final double KEY = 1.15;
  private static final double SKY_LIGHT = 0.34;
  private static final double BOUNCE = 0.20;
  private static final double FILL = 0.10;
  private static final double[] KEY_TINT = {1.04, 1.0, 0.93};
  private static final double[] SKY_TINT = {0.90, 1.0, 1.12};
  private static final double GLOSS = 0.22;
  private static final double GLOSS_POWER = 42;
  private static final double RIM = 0.30;
  private static final double MIRROR = 0.10;
  private static final double MIRROR_GRAZING = 0.35;

  /** Past this share, what lies behind a translucent surface no longer shows. */
  private static final double SEEN_THROUGH = 0.004;

  private final Scene scene;
  private final Atmosphere air;
  private final Look look;
  private final double[] eye;
  private final double[] light;
  private final double[] right;
  private final double[] up;
  private final double[] dark;
  private final double[] pale;
  private final double[] normal = new double[3];
  private final double[] shaded = new double[3];
  private final double[] mirrored = new double[3];
  private final int[] passed;

  /** Linear light of the last ray. */
  final double[] colour = new double[3];

  /** Differs between rays that met different surfaces. */
  int surfaces;

  /** How brightly the key light shines where the ray ended: jumps at the edge of a shadow. */
  double keyLight;

  /** The step vectors are the changes of a ray's direction from pixel to pixel. */
  Tracer(Scene scene, Atmosphere air, Look look, double[] eye, double[] right, double[] up) {
    this.scene = scene;
    this.air = air;
    this.look = look;
    this.eye = eye;
    this.right = right;
    this.up = up;
    light = look.light();
    dark = Tone.linear(look.groundDark());
    pale = Tone.linear(look.groundLight());
    passed = new int[scene.solids.length];
  }

  /**
   * Casts a ray from the eye; its direction may have any length. Only the candidates are met, and
   * only the mirror's candidates are seen in the ground, which only the last ones shade.
   */
  void trace(
      double vx,
      double vy,
      double vz,
      int[] candidates,
      int[] inMirror,
      int[] overGround,
      double patch) {
    double length = Math.sqrt(vx * vx + vy * vy + vz * vz);
    double dx = vx / length;
    double dy = vy / length;
    double dz = vz / length;
    colour[0] = 0;
    colour[1] = 0;
    colour[2] = 0;
    surfaces = 17;
    keyLight = 0;
    double remaining = 1;
    double after = 0;
    int last = -1;
    int passedCount = 0;
    while (remaining > SEEN_THROUGH) {
      double nearest = Casting.MISS;
      Solid hit = null;
      for (int candidate : candidates) {
        Solid solid = scene.solids[candidate];
        double t = solid.enter(eye[0], eye[1], eye[2], dx, dy, dz);
        boolean next = t > after || (t == after && candidate > last);
        if (next && t < nearest) {
          nearest = t;
          hit = solid;
        }
      }
      if (hit == null) {
        for (int c = 0; c < 3; c++) {
          colour[c] += remaining * air.sky(c, dz);
        }
        return;
      }
      after = nearest;
      last = hit.index;
      double px = eye[0] + nearest * dx;
      double py = eye[1] + nearest * dy;
      double pz = eye[2] + nearest * dz;
      if (hit.alpha < 1) {
        if (hit.alpha == 0 || withinPassed(hit, passedCount, px, py, pz)) {
          continue;
        }
        passed[passedCount++] = hit.index;
      }
      int face = hit.normal(px, py, pz, normal);
      surfaces = surfaces * 31 + hit.index * 4 + face;
      double opacity = hit.alpha;
      if (hit.shape.infinite()) {
        ground(hit, px, py, pz, dx, dy, dz, length, nearest, inMirror, overGround, patch);
      } else {
        hit.softenEdges(px, py, pz, normal);
        body(hit, px, py, pz, dx, dy, dz, shaded);
        double facing = Math.max(0, -(normal[0] * dx + normal[1] * dy + normal[2] * dz));
        opacity += (1 - opacity) * 0.35 * cube(1 - facing);
      }
      double mist = air.mist(nearest);
      for (int c = 0; c < 3; c++) {
        double seen = shaded[c] + (air.mistColour(c) - shaded[c]) * mist;
        colour[c] += remaining * opacity * seen;
      }
      remaining *= 1 - opacity;
    }
  }

  /** Translucent solids of one colour that overlap look like one: no wall shows inside another. */
  private boolean withinPassed(Solid hit, int count, double px, double py, double pz) {
    for (int i = 0; i < count; i++) {
      Solid other = scene.solids[passed[i]];
      if (other.shape.colour().equals(hit.shape.colour())
          && other.distance(px, py, pz) <= 1e-6 * other.bound) {
        return true;
      }
    }
    return false;
  }

  private void body(
      Solid hit, double px, double py, double pz, double dx, double dy, double dz, double[] out) {
    double facing = Math.max(0, -(normal[0] * dx + normal[1] * dy + normal[2] * dz));
    double towards = normal[0] * light[0] + normal[1] * light[1] + normal[2] * light[2];
    int[] all = scene.shade.all;
    double lit = towards <= 0 ? 0 : scene.shade.lit(px, py, pz, hit, all);
    double open = scene.shade.open(px, py, pz, normal, hit, all);
    double key = KEY * Math.max(0, towards) * lit;
    double upward = 0.5 + 0.5 * normal[2];
    double gloss = lit <= 0 ? 0 : GLOSS * lit * highlight(dx, dy, dz) * Math.min(1, 8 * towards);
    double rim = RIM * open * cube(1 - facing) * (1 - facing) * (0.35 + 0.65 * upward);
    double sky = SKY_LIGHT * upward * open;
    double fill = FILL * facing * open;
    for (int c = 0; c < 3; c++) {
      double albedo = c == 0 ? hit.red : c == 1 ? hit.green : hit.blue;
      double bounce = BOUNCE * (1 - upward) * open * (0.4 + 0.6 * 4 * pale[c]);
      double diffuse = key * KEY_TINT[c] + sky * SKY_TINT[c] + bounce + fill;
      out[c] = albedo * diffuse + gloss + rim * air.sky(c, 0.3);
    }
    keyLight += key;
  }

  private double highlight(double dx, double dy, double dz) {
    double hx = light[0] - dx;
    double hy = light[1] - dy;
    double hz = light[2] - dz;
    double cosine =
        (normal[0] * hx + normal[1] * hy + normal[2] * hz) / Math.sqrt(hx * hx + hy * hy + hz * hz);
    return cosine <= 0.7 ? 0 : Math.pow(cosine, GLOSS_POWER);
  }

  private void ground(
      Solid hit,
      double px,
      double py,
      double pz,
      double dx,
      double dy,
      double dz,
      double length,
      double distance,
      int[] inMirror,
      int[] overGround,
      double patch) {
    double nx = normal[0];
    double ny = normal[1];
    double nz = normal[2];
    int[] shading = hit == scene.ground ? overGround : scene.shade.all;
    double slope = nx * dx + ny * dy + nz * dz;
    double share = lightShare(hit, px, py, pz, dx, dy, dz, distance / length, slope, patch);
    double towards = Math.max(0, nx * light[0] + ny * light[1] + nz * light[2]);
    double lit = towards <= 0 ? 0 : scene.shade.lit(px, py, pz, hit, shading);
    double open = scene.shade.open(px, py, pz, normal, hit, shading);
    double key = KEY * towards * lit;
    double grazing = 1 + slope;
    double mirror = MIRROR + MIRROR_GRAZING * grazing * grazing * cube(grazing);
    boolean body = false;
    if (inMirror.length > 0) {
      double rx = dx - 2 * slope * nx;
      double ry = dy - 2 * slope * ny;
      double rz = dz - 2 * slope * nz;
      body = reflect(px, py, pz, rx, ry, rz, inMirror, mirrored);
    }
    for (int c = 0; c < 3; c++) {
      double albedo = dark[c] + (pale[c] - dark[c]) * share;
      double own = albedo * (key * KEY_TINT[c] + SKY_LIGHT * SKY_TINT[c] * open);
      double seen = body ? mirrored[c] : air.sky(c, -slope) * open * 0.4;
      shaded[c] = own * (1 - mirror) + seen * mirror;
    }
    keyLight += key;
  }

  private double lightShare(
      Solid hit,
      double px,
      double py,
      double pz,
      double dx,
      double dy,
      double dz,
      double scale,
      double slope,
      double patch) {
    double u = hit.localX(px - hit.x, py - hit.y, pz - hit.z) / look.square();
    double v = hit.localY(px - hit.x, py - hit.y, pz - hit.z) / look.square();
    double size = patch * scale / look.square();
    double widthU = 0;
    double widthV = 0;
    for (int i = 0; i < 2; i++) {
      double[] step = i == 0 ? right : up;
      // How far the ray's foot on the plane moves when its direction moves by one pixel.
      double slide = (normal[0] * step[0] + normal[1] * step[1] + normal[2] * step[2]) / slope;
      double sx = step[0] - dx * slide;
      double sy = step[1] - dy * slide;
      double sz = step[2] - dz * slide;
      widthU = Math.max(widthU, Math.abs(hit.localX(sx, sy, sz)) * size);
      widthV = Math.max(widthV, Math.abs(hit.localY(sx, sy, sz)) * size);
    }
    return Checker.lightShare(u, v, widthU, widthV);
  }

  /** Sees the nearest body in the ground; false where there is none. */
  private boolean reflect(
      double px,
      double py,
      double pz,
      double rx,
      double ry,
      double rz,
      int[] inMirror,
      double[] out) {
    double nearest = Casting.MISS;
    Solid hit = null;
    for (int candidate : inMirror) {
      double t = scene.solids[candidate].enter(px, py, pz, rx, ry, rz);
      if (t < nearest) {
        nearest = t;
        hit = scene.solids[candidate];
      }
    }
    if (hit == null) {
      return false;
    }
    double qx = px + nearest * rx;
    double qy = py + nearest * ry;
    double qz = pz + nearest * rz;
    int face = hit.normal(qx, qy, qz, normal);
    surfaces = surfaces * 31 + hit.index * 4 + face;
    hit.softenEdges(qx, qy, qz, normal);
    double before = keyLight;
    body(hit, qx, qy, qz, rx, ry, rz, out);
    keyLight = before;
    return true;
  }

  private static double cube(double value) {
    return value * value * value;
  }
}
