package dev.psm.lab.compute;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What is wanted of Slurm.
 *
 * @param out the folder for whose sake tasks are performed; scripts go into it, hidden
 * @param launcher of psm
 * @param gathering the words of the command that gathers what tasks found
 * @param workingFolder where both are run
 * @param plugins that tasks need too
 * @param gpu whether a task needs one
 * @param atOnce jobs at the same time; 0 for as many as Slurm likes
 * @param resources options of sbatch, by name
 * @param submits whether jobs are submitted right away
 */
public record SlurmRequest(
    Path out,
    Path launcher,
    List<String> gathering,
    Path workingFolder,
    List<Path> plugins,
    boolean gpu,
    int atOnce,
    Map<String, String> resources,
    boolean submits) {
  public SlurmRequest {
    gathering = List.copyOf(gathering);
    plugins = List.copyOf(plugins);
    SlurmScripts.check(resources);
  }
}
