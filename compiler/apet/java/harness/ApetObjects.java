package apet;

import java.lang.reflect.Field;

/**
 * Visits of objects: the cache line at which each lies, how many other lines were visited since the last visit of it, and
 * whether it is near the one that the same place visited before. Where addresses cannot be read, nothing is told.
 */
public class ApetObjects {
  /** Lines whose last visits are remembered: those of 512 MB. */
  static final int LINES = 1 << 23;
  /** Lines ahead that count as the next one; lines since that surely are in the first level; lines that take no room. */
  static final int NEAR = 4, FIRST_LEVEL = 128, RECENT = 32;
  static final sun.misc.Unsafe MEMORY = memory();
  static boolean counting;
  static final Object[] CELL = new Object[1];
  static int[] before;
  /** A line that has never been visited seems to have been so, long ago. */
  static int clock = 1 << 20;
  static int[] lines;
  /** By site: visits, those beyond the first level out of order and in order, the sum of the lines since of these. */
  static double[][] visits;

  private static sun.misc.Unsafe memory() {
    try {
      Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      sun.misc.Unsafe found = (sun.misc.Unsafe) field.get(null);
      // References of four bytes are addresses in units of eight.
      return found.arrayIndexScale(Object[].class) == 4 ? found : null;
    } catch (ReflectiveOperationException | LinkageError | RuntimeException hidden) {
      return null;
    }
  }

  static void start(int sites) {
    counting = true;
    lines = new int[sites];
    visits = new double[sites][];
  }

  public static void visit(Object o, int k) {
    if (!counting || ApetCalls.timing || o == null || MEMORY == null) return;
    int line = line(o), last = lines[k];
    double[] own = visits[k];
    if (own == null) {
      own = visits[k] = new double[4];
      if (before == null) before = new int[LINES];
    }
    own[0]++;
    if (line == last) return;
    lines[k] = line;
    int since = clock - before[line & LINES - 1];
    if (since > FIRST_LEVEL) since = Math.min(since, allocatedSince(line));
    if (since > FIRST_LEVEL) {
      own[Math.abs(line - last) <= NEAR ? 2 : 1]++;
      own[3] += since;
    }
    // What is visited again and again takes no room of others.
    if (since > RECENT) before[line & LINES - 1] = ++clock;
  }

  private static int line(Object o) {
    CELL[0] = o;
    return MEMORY.getInt(CELL, (long) sun.misc.Unsafe.ARRAY_OBJECT_BASE_OFFSET) >>> 3;
  }

  /** Lines allocated behind one: a new object is in the caches, whether it has been visited or not. */
  private static int allocatedSince(int line) {
    int lines = line(new Object()) - line;
    return lines >= 0 ? lines : Integer.MAX_VALUE;
  }

  static void report(java.io.PrintStream out) {
    for (int k = 0; k < visits.length; k++)
      if (visits[k] != null) out.println("visits " + k + " " + visits[k][0] + " " + visits[k][1] + " " + visits[k][2] + " " + visits[k][3]);
  }
}
