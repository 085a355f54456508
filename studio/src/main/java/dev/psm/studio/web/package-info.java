/** HTTP as all of psm speaks it: bounded, guarded, every error a JSON document. */
package dev.psm.studio.web;
