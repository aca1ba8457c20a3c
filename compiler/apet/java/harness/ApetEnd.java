import java.io.PrintStream;

/**
 * Ends a virtual machine as soon as its run is over, whatever threads a task has left behind; and reports a run that a
 * task ends with System.exit.
 */
final class ApetEnd {
  private static final PrintStream OUT = System.out;
  private static Thread last;

  /** What a main method does. */
  interface Run {
    void run() throws Throwable;
  }

  /** Runs, then ends: a task's own threads would keep the virtual machine for ever. */
  static void after(Run run) {
    int status = 1;
    try {
      run.run();
      status = 0;
    } catch (Throwable failed) {
      failed.printStackTrace();
    }
    OUT.flush();
    System.err.flush();
    Runtime.getRuntime().halt(status);
  }

  /** Has a report printed where a task exits. */
  static void reportAtExit(Runnable report) {
    last = new Thread(report);
    Runtime.getRuntime().addShutdownHook(last);
  }

  /** The report has been printed, or is about to be. */
  static void isReported() {
    Runtime.getRuntime().removeShutdownHook(last);
  }
}
