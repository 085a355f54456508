/** The service for programs: solve and act over HTTP and WebSocket, KServe's inference protocol. */
package dev.psm.studio.service;
