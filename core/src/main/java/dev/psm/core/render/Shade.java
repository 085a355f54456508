package dev.psm.core.render;

/** What the solids of a scene take from each other: the key light, and the light of the sky. */
final class Shade {
  /** Tangent of the angle over which a shadow's edge fades: a sun a few degrees wide. */
  private static final double SOFTNESS = 0.07;

  private static final double CREASE_DEPTH = 0.55;

  private final Solid[] casters;
  private final double lx;
  private final double ly;
  private final double lz;

  Shade(Solid[] casters, double[] light) {
    this.casters = casters;
    lx = light[0];
    ly = light[1];
    lz = light[2];
  }

  /**
   * Share of the key light that reaches a point on {@code self}. Convex solids do not shade
   * themselves, so {@code self} is left out; overlapping shadows do not add up, so that the joints
   * of a limb cast no dark spots.
   */
  double lit(double px, double py, double pz, Solid self) {
    double lit = 1;
    for (Solid caster : casters) {
      if (caster == self) {
        continue;
      }
      double cx = caster.x - px;
      double cy = caster.y - py;
      double cz = caster.z - pz;
      double along = cx * lx + cy * ly + cz * lz;
      if (along < -caster.bound) {
        continue;
      }
      double reach = caster.bound + SOFTNESS * (along + caster.bound);
      if (cx * cx + cy * cy + cz * cz - along * along > reach * reach) {
        continue;
      }
      double clearance = caster.clearance(px, py, pz, lx, ly, lz, along, reach);
      double share = Math.min(1, Math.max(0, 0.5 + 0.5 * clearance / SOFTNESS));
      share = share * share * (3 - 2 * share);
      lit = Math.min(lit, 1 - caster.alpha * (1 - share));
    }
    return lit;
  }

  /**
   * Share of the sky that a point sees past its neighbours: each solid near the point, compared
   * with how far away it would be if the surface lay open, darkens creases and contacts.
   */
  double open(double px, double py, double pz, double[] n, Solid self) {
    double open = 1;
    for (Solid caster : casters) {
      if (caster == self) {
        continue;
      }
      double step = caster.thickness * 0.9;
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
}
