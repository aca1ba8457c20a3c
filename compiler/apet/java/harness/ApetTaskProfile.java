import apet.ApetCalls;
import apet.ApetProfile;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs instrumented tasks. Arguments: class, method, number of sites, runs before the one that is told about (and a t
 * behind it to time calls afterwards), number of formals, their names, then rows of their values, a row for each task.
 * Prints a line for each site.
 */
public final class ApetTaskProfile {
  public static void main(String[] a) {
    ApetEnd.after(() -> run(a));
  }

  private static void run(String[] a) throws Throwable {
    int sites = Integer.parseInt(a[2]), warm = Integer.parseInt(a[3].replace("t", "")), columns = Integer.parseInt(a[4]);
    List<String> names = Arrays.asList(a).subList(5, 5 + columns);
    List<double[]> rows = new ArrayList<>();
    for (int at = 5 + columns; at < a.length || rows.isEmpty(); at += Math.max(columns, 1)) {
      double[] row = new double[columns];
      for (int i = 0; i < columns; i++) row[i] = Double.parseDouble(a[at + i]);
      rows.add(row);
    }
    PrintStream out = System.out, nowhere = new PrintStream(OutputStream.nullOutputStream());
    System.setOut(nowhere);
    ApetProfile.start(sites, false);
    ApetTask task = new ApetTask(a[0], a[1], names, true);
    ApetEnd.reportAtExit(() -> report(task, rows.size(), out));
    long begun = System.nanoTime();
    Throwable refused = null;
    for (int i = 0; i <= warm && !(i > 0 && ApetProfile.taught()); i++) {
      try {
        task.renew();
        task.prepare(rows.get(0));
        if (i == 0) ProfileRun.fields(task.owner, task.object(), out);
        ApetProfile.start(sites, warm > 0);
        for (double[] row : rows) task.run(row);
        if (i == 0) ProfileRun.reportFirst(() -> report(task, rows.size(), out), nowhere);
      } catch (Throwable e) {
        if (i > 0) break; // the counts stand
        // Another style of arguments may do; if none does, the first reason counts.
        if (refused == null) refused = e;
        if (!task.nextStyle()) {
          assumed(task, out);
          throw refused;
        }
        i = -1;
      }
    }
    ApetProfile.misses(out);
    if (!a[3].endsWith("t") || System.nanoTime() - begun > ApetCalls.SLOW) return;
    ApetProfile.start(sites, false);
    try {
      ApetCalls.time(() -> { for (double[] row : rows) task.run(row); }, sites, out);
    } catch (Throwable notRepeatable) {
      return; // the counts stand
    }
  }
  private static void report(ApetTask task, int rows, PrintStream out) {
    assumed(task, out);
    out.println("runs 0 " + rows);
    ProfileRun.report(out);
  }

  private static void assumed(ApetTask task, PrintStream out) {
    task.assumed().forEach(one -> out.println("assumed 0 " + one));
  }
}
