package dev.psm.lab.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.UserError.Kind;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.lab.run.Runs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmWorkersTest {
  @TempDir private Path folder;
  private final List<String> notes = new ArrayList<>();
  private final WorkContext context = new WorkContext(Progress.SILENT, notes::add, () -> false);

  /** Doubles a number; refuses 3, and fails with 1 as libraries do, in two lines. */
  public static final class Doubling implements Work {
    @Override
    public Optional<ObjectNode> perform(ObjectNode task, WorkContext context) {
      int number = task.path("number").asInt();
      if (number == 3) {
        throw UserError.invalid("3 is not doubled");
      }
      if (number == 1) {
        throw new IllegalStateException("first line\nsecond line");
      }
      return Optional.of(Json.object().put("doubled", 2 * number));
    }

    @Override
    public long memoryBytes(ObjectNode task) {
      return 700_000_000L;
    }

    @Override
    public int threads(ObjectNode task) {
      return 2;
    }
  }

  private static List<ObjectNode> numbers(int count) {
    return IntStream.range(0, count).mapToObj(i -> Json.object().put("number", i)).toList();
  }

  private SlurmRequest request(Path out, boolean gpu, Map<String, String> resources) {
    return new SlurmRequest(
        out,
        Path.of("/opt/psm home/psm"),
        List.of("sweep", "my sweep.json", "--on", "slurm", "--gather"),
        folder,
        List.of(Path.of("/a.jar"), Path.of("/b.jar")),
        gpu,
        4,
        resources,
        false);
  }

  private Map<String, String> scripts(boolean gpu, Map<String, String> resources, int largest) {
    Path submission = folder.resolve("the results/.slurm/1");
    WorkList list = new WorkList(submission, Doubling.class.getName(), numbers(5));
    return new SlurmScripts(request(folder, gpu, resources), submission, list, largest).texts();
  }

  @Test
  void everyTaskIsAJobOfAnArrayWithWhatItNeeds() {
    Map<String, String> scripts = scripts(false, Map.of("time", "4:00:00"), 1001);
    assertEquals(List.of("array.sh", "gather.sh", "submit.sh"), List.copyOf(scripts.keySet()));
    assertEquals(
        """
        #!/bin/bash
        # A task of FOLDER/the results/.slurm/1/tasks.json in every job.
        #SBATCH --array=0-4%4
        #SBATCH --job-name=psm
        #SBATCH --cpus-per-task=2
        #SBATCH --mem=2203M
        #SBATCH --requeue
        #SBATCH --time=4:00:00
        #SBATCH --signal=B:TERM@120
        #SBATCH --open-mode=append
        export PSM_DEVICE=cpu
        export PSM_JAVA_OPTIONS="-Xmx1024m ${PSM_JAVA_OPTIONS:-}"
        cd FOLDER || exit 1
        exec '/opt/psm home/psm' task 'FOLDER/the results/.slurm/1' $((SLURM_ARRAY_TASK_ID + 0)) --plugins /a.jar,/b.jar
        """
            .replace("FOLDER", folder.toString()),
        scripts.get("array.sh"));
  }

  @Test
  void gatheringIsTheSameCommandAfterAllJobs() {
    Map<String, String> scripts = scripts(false, Map.of("partition", "small"), 1001);
    assertTrue(
        scripts
            .get("gather.sh")
            .endsWith("exec '/opt/psm home/psm' sweep 'my sweep.json' --on slurm --gather\n"),
        scripts.get("gather.sh"));
    assertTrue(scripts.get("gather.sh").contains("#SBATCH --partition=small\n"));
    String submit = scripts.get("submit.sh");
    assertTrue(submit.contains("cd '" + folder + "/the results/.slurm/1'"), submit);
    assertTrue(submit.contains("--dependency=\"afterany$jobs\" gather.sh"), submit);
  }

  @Test
  void aGpuIsOneTasksAndWhatIsAskedForWins() {
    String array =
        scripts(true, Map.of("mem", "9G", "comment", "a b", "exclusive", ""), 1001).get("array.sh");
    assertTrue(array.contains("#SBATCH --gres=gpu:1\n"), array);
    assertTrue(array.contains("#SBATCH --cpus-per-task=1\n"), array);
    assertTrue(array.contains("export PSM_DEVICE=cuda\n"), array);
    assertTrue(array.contains("#SBATCH --mem=9G\n"), array);
    assertFalse(array.contains("2203M"), array);
    assertTrue(array.contains("#SBATCH --comment=\"a b\"\n"), array);
    assertTrue(array.contains("#SBATCH --exclusive\n"), array);
  }

  @Test
  void memoryByTheCoreIsInPlaceOfMemory() {
    String array = scripts(false, Map.of("mem-per-cpu", "3G"), 1001).get("array.sh");
    assertTrue(array.contains("#SBATCH --mem-per-cpu=3G\n"), array);
    assertFalse(array.contains("--mem="), array);
  }

  /** Runs submit.sh of three arrays where sbatch is a script of ours. */
  private String submit(String sbatch) throws Exception {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    for (Map.Entry<String, String> program :
        Map.of("sbatch", sbatch, "scancel", "echo cancelled $*").entrySet()) {
      Path file = bin.resolve(program.getKey());
      Files.writeString(file, "#!/bin/bash\n" + program.getValue() + "\n");
      assertTrue(file.toFile().setExecutable(true));
    }
    Path submission = Files.createDirectories(folder.resolve("the results/.slurm/1"));
    Path script = submission.resolve("submit.sh");
    Files.writeString(script, scripts(false, Map.of(), 2).get("submit.sh"));
    ProcessBuilder bash = new ProcessBuilder("bash", script.toString()).redirectErrorStream(true);
    bash.environment().put("PATH", bin + ":" + System.getenv("PATH"));
    Process process = bash.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + said;
  }

  /** Takes what it is given, notes the line, and numbers jobs from 1. */
  private static final String TAKING =
      "echo \"$*\" >>lines; echo \"$(wc -l <lines | tr -d ' ');cluster\"";

  @Test
  void arraysOfOneSubmissionDoNotRunMoreAtOnceThanAsked() throws Exception {
    assertEquals("0 jobs 1:2:3, gathered by 4\n", submit(TAKING));
    Path submission = folder.resolve("the results/.slurm/1");
    assertEquals(List.of("1", "2", "3"), Files.readAllLines(submission.resolve(Submissions.JOBS)));
    List<String> lines = Files.readAllLines(submission.resolve("lines"));
    assertFalse(lines.get(0).contains("--dependency"), lines.toString());
    assertTrue(lines.get(1).contains("--dependency=afterany:1 array-2.sh"), lines.toString());
    assertTrue(lines.get(2).contains("--dependency=afterany:1:2 array-3.sh"), lines.toString());
    assertTrue(lines.get(3).contains("--dependency=afterany:1:2:3 gather.sh"), lines.toString());
  }

  @Test
  void whereOneArrayIsRefusedThoseBeforeAreCancelled() throws Exception {
    String said = submit("case \"$*\" in *array-3.sh) echo too many >&2; exit 1;; esac\n" + TAKING);
    assertEquals("1 too many\nnot all jobs were taken; cancelling 1 2\ncancelled 1 2\n", said);
  }

  @Test
  void nothingIsHandedOverTwiceWhileEarlierJobsAreThere() throws IOException {
    List<SlurmQueue.Said> squeue =
        new ArrayList<>(
            List.of(
                new SlurmQueue.Said(1, "no controller"),
                new SlurmQueue.Said(0, "7\n12\n12\n120\n"),
                new SlurmQueue.Said(0, "7\n120\n")));
    SlurmQueue queue =
        new SlurmQueue(
            command ->
                command.get(0).equals("squeue") ? Optional.of(squeue.remove(0)) : Optional.empty());
    SlurmWorkers slurm = new SlurmWorkers(request(folder, false, Map.of()), queue);
    slurm.perform(Doubling.class, "5 numbers", numbers(5), context, result -> {});
    Path first = folder.resolve(".slurm/1");
    Files.writeString(first.resolve(Submissions.JOBS), "11\n12\n");
    Runs.refused(
        Kind.FAILED,
        () -> slurm.perform(Doubling.class, "", numbers(5), context, result -> {}),
        "squeue does not say",
        "no controller");
    Runs.refused(
        Kind.FAILED,
        () -> slurm.perform(Doubling.class, "", numbers(5), context, result -> {}),
        "still wait or run",
        "scancel 12");
    assertFalse(Files.exists(folder.resolve(".slurm/2")), "nothing is written");
    slurm.perform(Doubling.class, "", numbers(5), context, result -> {});
    assertTrue(Files.exists(folder.resolve(".slurm/2/tasks.json")));
  }

  @Test
  void noTwoSubmissionsShareAFolder() {
    Submissions submissions = new Submissions(folder);
    List<Path> folders =
        IntStream.range(0, 40).parallel().mapToObj(i -> submissions.next()).toList();
    assertEquals(40, folders.stream().distinct().count(), folders.toString());
  }

  @Test
  void moreTasksThanAnArrayMayHaveAreSeveralArrays() {
    Map<String, String> scripts = scripts(false, Map.of(), 2);
    assertTrue(scripts.get("array-1.sh").contains("--array=0-1%4\n"));
    assertTrue(scripts.get("array-2.sh").contains("$((SLURM_ARRAY_TASK_ID + 2))"));
    assertTrue(scripts.get("array-3.sh").contains("--array=0-0%4\n"));
    assertTrue(scripts.get("submit.sh").contains("array-3.sh)"), scripts.get("submit.sh"));
  }

  @Test
  void optionsThatAreNoneAreRefused() {
    for (Map<String, String> wrong :
        List.of(Map.of("--time", "1"), Map.of("time", "1\nrm -rf"), Map.of("a b", "1"))) {
      Runs.refused(
          Kind.INVALID, () -> request(folder, false, wrong), "slurm: expected an option of sbatch");
    }
    Runs.refused(
        Kind.INVALID, () -> request(folder, false, Map.of("array", "0-3")), "array is set by psm");
  }

  @Test
  void whatJobsFoundIsGathered() throws IOException {
    SlurmWorkers slurm = new SlurmWorkers(request(folder, false, Map.of()));
    assertFalse(slurm.perform(Doubling.class, "5 numbers", numbers(5), context, result -> {}));
    assertTrue(notes.get(0).startsWith("5 numbers for Slurm in "), notes.toString());
    Path submission = folder.resolve(".slurm/1");
    // As bash reads them.
    for (String script : List.of("array.sh", "gather.sh", "submit.sh")) {
      Process bash =
          new ProcessBuilder("bash", "-n", submission.resolve(script).toString())
              .inheritIO()
              .start();
      try {
        assertEquals(0, bash.waitFor(), script);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    WorkList list = WorkList.read(submission);
    for (int i = 0; i < 4; i++) {
      assertTrue(list.perform(i, context).ended());
    }
    Runs.refused(Kind.INVALID, () -> list.perform(5, context), "has tasks 0 to 4, found 5");

    List<TaskResult> found = new ArrayList<>();
    List<ObjectNode> wanted =
        List.of(numbers(5).get(3), numbers(5).get(2), numbers(5).get(4), numbers(5).get(1));
    assertFalse(
        new GatheringWorkers(folder)
            .perform(Doubling.class, "numbers", wanted, context, found::add));
    assertEquals(3, found.size());
    assertEquals("3 is not doubled", found.get(0).failure().orElseThrow());
    assertEquals(4, found.get(1).answer().orElseThrow().path("doubled").asInt());
    assertTrue(found.get(2).failure().orElseThrow().contains("first line\nsecond line"));

    // What was submitted again has come to nothing yet, whatever became of it before.
    slurm.perform(Doubling.class, "1 number", List.of(numbers(5).get(3)), context, result -> {});
    found.clear();
    new GatheringWorkers(folder).perform(Doubling.class, "", wanted, context, found::add);
    assertEquals(2, found.size());
    assertTrue(Files.exists(folder.resolve(".slurm/2/tasks.json")));
  }
}
