/**
 * What there is to draw of an environment: simple solids and where they stand, the camera that
 * looks at them, colours and light. It is here, apart from the renderer, so that a world can say
 * how it looks without being able to draw, and whoever only acts in it carries no renderer.
 *
 * <p>Shapes, rotations and the free camera follow MuJoCo's conventions, so that geometry read from
 * a model can be handed over as it is; z points up.
 */
package dev.psm.core.scene;
