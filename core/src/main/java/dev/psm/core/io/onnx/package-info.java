/**
 * Writes networks as ONNX files, which inference engines on other machines, languages and devices
 * read. Only what multilayer perceptrons need is here: float32, one symbolic batch dimension,
 * weights inside the file.
 */
package dev.psm.core.io.onnx;
