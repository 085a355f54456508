package dev.psm.spark;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.lab.compute.Attempt;
import dev.psm.lab.compute.TaskResult;
import dev.psm.lab.compute.WorkContext;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/** The process that {@link GpuProcess} starts: a task comes in, its result goes out. */
public final class GpuTask {
  /** Begins a line that is for the parent; libraries may print, too. */
  static final String MARK = "psm-task ";

  static final String RESULT = "result";
  static final String NOTE = "note";
  static final String SHARE = "share";
  static final String STOP = "stop";

  private final OutputStream out = new FileOutputStream(FileDescriptor.out);

  private GpuTask() {}

  /**
   * @param arguments the class of the work
   */
  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
    TaskMessage.Asked asked = TaskMessage.Asked.of(in.readLine());
    AtomicBoolean stop = new AtomicBoolean();
    Thread listener = new Thread(() -> listen(in, stop), "parent");
    listener.setDaemon(true);
    listener.start();
    GpuTask task = new GpuTask();
    WorkContext context =
        new WorkContext(
            new ShareOfProgress(share -> task.say(Json.object().put(SHARE, share))),
            note -> task.say(Json.object().put(NOTE, note)),
            stop::get);
    TaskResult result =
        Attempt.perform(Attempt.work(arguments[0]), asked.index(), asked.task(), context);
    task.say(Json.object().put(RESULT, new TaskMessage.Answered(result, List.of()).line()));
    System.exit(0);
  }

  /** A parent that is gone can take no result, and the task begins again elsewhere. */
  private static void listen(BufferedReader in, AtomicBoolean stop) {
    try {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals(STOP)) {
          stop.set(true);
        }
      }
    } catch (IOException e) {
      // As if it had ended.
    }
    Runtime.getRuntime().halt(1);
  }

  private synchronized void say(ObjectNode message) {
    try {
      out.write((MARK + Json.line(message) + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
  }
}
