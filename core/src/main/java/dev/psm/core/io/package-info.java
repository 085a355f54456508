/**
 * Files: atomic writes, JSON, tensors in the safetensors format, and the two metric formats that
 * users of reinforcement-learning tools already read. Everything that reads treats the file as
 * untrusted and refuses a damaged one in words.
 */
package dev.psm.core.io;
