package dev.psm.view.render;

import dev.psm.core.scene.Look;
import dev.psm.core.scene.Placed;
import dev.psm.core.scene.Shape;
import java.util.List;

/** One frame's solids and light in the form the tracer reads. */
final class Scene {
  final Solid[] solids;
  final Shade shade;

  /** The first infinite plane, which mirrors the scene faintly; null where there is none. */
  final Solid ground;

  Scene(List<Placed> shapes, Look look) {
    solids = new Solid[shapes.size()];
    Solid first = null;
    for (int i = 0; i < solids.length; i++) {
      solids[i] = new Solid(shapes.get(i), i);
      if (first == null && solids[i].shape.infinite()) {
        first = solids[i];
      }
    }
    ground = first;
    shade = new Shade(casters(), look.light());
  }

  private Solid[] casters() {
    return List.of(solids).stream()
        .filter(solid -> solid.shape.kind() != Shape.Kind.PLANE && solid.alpha > 0)
        .toArray(Solid[]::new);
  }
}
