/**
 * What people and programs ask of pretrained agents over HTTP: {@link dev.psm.studio.page} is the
 * studio, a page on which a reward is typed and obeyed; {@link dev.psm.studio.service} the service
 * for programs. Both take agents from a {@link dev.psm.studio.ModelShelf} and speak HTTP by {@link
 * dev.psm.studio.web}.
 */
package dev.psm.studio;
