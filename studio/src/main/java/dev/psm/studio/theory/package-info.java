/** What the page asks of the exact theory: the toy MDP of the paper's Figure 2. */
package dev.psm.studio.theory;
