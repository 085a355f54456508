/**
 * Bodies that obey while one watches: a {@link dev.psm.studio.body.BodySession} is one thread that
 * steps an environment in real time under the policy of the present prompt and sends where
 * everything is; {@link dev.psm.studio.body.BodyApi} is what the page asks for besides.
 */
package dev.psm.studio.body;
