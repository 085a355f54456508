package dev.psm.view.render;

import dev.psm.core.scene.Vectors;
import java.util.Arrays;
import java.util.stream.IntStream;

/** What the solids of a scene take from each other: the key light, and the light of the sky. */
final class Shade {
  /** Tangent of the angle over which a shadow's edge fades: a sun a few degrees wide. */
  private static final double SOFTNESS = 0.07;

  private static final double CREASE_DEPTH = 0.55;
  private static final double CREASE_STEP = 0.9;

  private final Solid[] casters;
  private final Clearance[] clearances;
  private final double lx;
  private final double ly;
  private final double lz;
  // A ball around all casters: most of the ground lies outside its shadow.
  private final double[] centre = new double[3];
  private final double bound;
  private final double crease;

  /** Every caster, for points of which nothing is known. */
  final int[] all;

  Shade(Solid[] casters, double[] light) {
    this.casters = casters;
    clearances = new Clearance[casters.length];
    Arrays.setAll(clearances, i -> new Clearance(casters[i], light, SOFTNESS));
    lx = light[0];
    ly = light[1];
    lz = light[2];
    all = IntStream.range(0, casters.length).toArray();
    for (Solid caster : casters) {
      centre[0] += caster.x / casters.length;
      centre[1] += caster.y / casters.length;
      centre[2] += caster.z / casters.length;
    }
    double widest = -1;
    double thickest = 0;
    for (Solid caster : casters) {
      double[] off = {caster.x - centre[0], caster.y - centre[1], caster.z - centre[2]};
      widest = Math.max(widest, Vectors.length(off) + caster.bound);
      thickest = Math.max(thickest, caster.thickness);
    }
    bound = widest;
    crease = bound + 2 * CREASE_STEP * thickest;
  }

  /**
   * Share of the key light that reaches a point on {@code self}. Convex solids do not shade
   * themselves, so {@code self} is left out; overlapping shadows do not add up, so that the joints
   * of a limb cast no dark spots.
   */
  double lit(double px, double py, double pz, Solid self, int[] among) {
    if (!mayShade(px - centre[0], py - centre[1], pz - centre[2], bound)) {
      return 1;
    }
    double lit = 1;
    for (int i : among) {
      Solid caster = casters[i];
      if (caster == self || !mayShade(px - caster.x, py - caster.y, pz - caster.z, caster.bound)) {
        continue;
      }
      double clearance = clearances[i].from(px, py, pz);
      if (clearance >= SOFTNESS) {
        continue;
      }
      double share = Math.max(0, 0.5 + 0.5 * clearance / SOFTNESS);
      share = share * share * (3 - 2 * share);
      lit = Math.min(lit, 1 - caster.alpha * (1 - share));
    }
    return lit;
  }

  /**
   * Whether a ball of some radius can come between a point, seen from its centre, and the light.
   */
  private boolean mayShade(double px, double py, double pz, double radius) {
    double along = -(px * lx + py * ly + pz * lz);
    double reach = radius + SOFTNESS * (along + radius);
    return along >= -radius && px * px + py * py + pz * pz - along * along <= reach * reach;
  }

  /**
   * Share of the sky that a point sees past its neighbours: each solid near the point, compared
   * with how far away it would be if the surface lay open, darkens creases and contacts.
   */
  double open(double px, double py, double pz, double[] n, Solid self, int[] among) {
    double ox = px - centre[0];
    double oy = py - centre[1];
    double oz = pz - centre[2];
    if (ox * ox + oy * oy + oz * oz > crease * crease) {
      return 1;
    }
    double open = 1;
    for (int i : among) {
      Solid caster = casters[i];
      if (caster == self) {
        continue;
      }
      double step = caster.thickness * CREASE_STEP;
      double cx = caster.x - px;
      double cy = caster.y - py;
      double cz = caster.z - pz;
      double reach = caster.bound + 2 * step;
      if (cx * cx + cy * cy + cz * cz > reach * reach) {
        continue;
      }
      double gap = caster.distance(px + step * n[0], py + step * n[1], pz + step * n[2]);
      double closed = Math.min(1, Math.max(0, 1 - gap / step));
      open *= 1 - caster.alpha * CREASE_DEPTH * closed * closed;
    }
    return open;
  }

  /** The casters that may darken a point of a ball. */
  int[] near(double[] ball, double radius) {
    return IntStream.of(all)
        .filter(
            i ->
                clearances[i].mayReach(ball[0], ball[1], ball[2], radius)
                    || casters[i].distance(ball[0], ball[1], ball[2])
                        <= radius + 2 * CREASE_STEP * casters[i].thickness)
        .toArray();
  }
}
