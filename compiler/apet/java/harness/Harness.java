import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Times cases on this JVM as thread CPU time. Arguments: warm-up in ms, time of one sample in µs, samples, and which of
 * operations,events,library,memory. Prints one line for each case: its name, then seconds per round of every sample, in ascending order.
 */
public class Harness {
  /** Rounds of a loop that the compiler cannot see through; what it returns is consumed. */
  interface Case {
    double run(int rounds);
  }

  static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  static final List<String> NAMES = new ArrayList<>();
  static final List<Case> CASES = new ArrayList<>();

  /** What every result flows into: nothing that is timed is dead code. */
  static volatile double consumed;

  /** Operands that only the run knows: a compiler that knew them would fold them away. */
  static int X, Y, SMALL;

  static double warmSeconds, sampleSeconds;
  static int samples;

  static final int CHUNK = 1 << 16;

  static void add(String name, Case c) {
    NAMES.add(name);
    CASES.add(c);
  }

  static double cpu() {
    return THREADS.getCurrentThreadCpuTime() * 1e-9;
  }

  /** Seconds of one round, for each sample. */
  static double[] time(Case c) {
    int rounds = 256;
    double start = cpu(), once = 0;
    for (int calls = 0; calls < 12 || cpu() - start < warmSeconds; calls++) {
      if (calls >= 3 && cpu() - start > 8 * warmSeconds) break;
      double before = cpu();
      consumed += c.run(rounds);
      once = cpu() - before;
      if (once < sampleSeconds / 8 && rounds < 1 << 26) rounds *= 2;
    }
    double before = cpu();
    consumed += c.run(rounds);
    once = Math.max(cpu() - before, 1e-7);
    rounds = (int) Math.max(1, Math.min(1 << 28, rounds * (sampleSeconds / once)));
    double[] found = new double[samples];
    for (int i = 0; i < samples; i++) {
      before = cpu();
      consumed += c.run(rounds);
      found[i] = (cpu() - before) / rounds;
    }
    Arrays.sort(found);
    return found;
  }

  /** Uses all pages of the young generation some times: the first use of one may take as long as clearing it often. */
  static void fillYoung() {
    byte[] some = null;
    for (long bytes = 4 * Runtime.getRuntime().totalMemory() / 3; bytes > 0; bytes -= CHUNK) some = new byte[CHUNK];
    consumed += some.length;
  }

  public static void main(String[] a) {
    warmSeconds = Double.parseDouble(a[0]) * 1e-3;
    sampleSeconds = Double.parseDouble(a[1]) * 1e-6;
    samples = Integer.parseInt(a[2]);
    X = 1_000_003 + a.length;
    Y = 7 + a.length;
    SMALL = a.length - 3;
    if (a[3].contains("operations")) { Operations.register(); Statements.register(); }
    if (a[3].contains("events")) Events.register();
    if (a[3].contains("library")) Library.register();
    if (a[3].contains("memory")) Memory.register();
    fillYoung();
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < CASES.size(); i++) {
      line.setLength(0);
      line.append(NAMES.get(i));
      for (double s : time(CASES.get(i))) line.append(' ').append(s);
      System.out.println(line);
      System.out.flush();
    }
  }
}
