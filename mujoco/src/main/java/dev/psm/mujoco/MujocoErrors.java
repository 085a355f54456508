package dev.psm.mujoco;

import com.sun.jna.Callback;
import com.sun.jna.CallbackReference;
import com.sun.jna.NativeLibrary;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * MuJoCo's errors and warnings, held for the thread whose call raised them.
 *
 * <p>Left alone, an error ends the process and a warning writes a log file into the working folder.
 * An exception cannot travel through C, so the callback only takes a note; {@link #raised} and
 * {@link #take} turn it into an exception as soon as the native call is back. Until then MuJoCo
 * goes on after its own error, on a state it meant never to touch again: nothing short of C could
 * stop it, so an error is survived as a rule and not by guarantee.
 */
final class MujocoErrors {
  /** The signature of {@code mju_user_error} and {@code mju_user_warning}. */
  interface Handler extends Callback {
    void invoke(String message);
  }

  /**
   * One complaint; an error leaves the engine's state undefined, a warning does not.
   *
   * @param fatal whether it was an error
   */
  record Complaint(boolean fatal, String message) {}

  private static final Map<Thread, Complaint> PENDING = new ConcurrentHashMap<>();

  // Native code keeps only an address, so these must stay reachable for as long as the library is.
  private static final Handler ERROR = message -> note(new Complaint(true, message));
  private static final Handler WARNING = message -> note(new Complaint(false, message));

  private MujocoErrors() {}

  static void listen(NativeLibrary library) {
    library
        .getGlobalVariableAddress("mju_user_error")
        .setPointer(0, CallbackReference.getFunctionPointer(ERROR));
    library
        .getGlobalVariableAddress("mju_user_warning")
        .setPointer(0, CallbackReference.getFunctionPointer(WARNING));
  }

  private static void note(Complaint complaint) {
    // The first one is the cause; an error outranks a warning.
    PENDING.merge(
        Thread.currentThread(),
        complaint,
        (old, added) -> added.fatal() && !old.fatal() ? added : old);
  }

  /** Whether any thread has a complaint: cheap enough to ask after every step. */
  static boolean raised() {
    return !PENDING.isEmpty();
  }

  /** Whether this thread's complaint is an error. */
  static boolean fatal() {
    Complaint complaint = PENDING.get(Thread.currentThread());
    return complaint != null && complaint.fatal();
  }

  /** This thread's complaint, which is then forgotten; null when it has none. */
  static Complaint take() {
    return PENDING.remove(Thread.currentThread());
  }
}
