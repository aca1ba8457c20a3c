package apet;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What instrumented code tells of calls: which classes they meet, and how long those of a library take. Each timed call
 * reads the clock twice; what that takes by itself is timed too, and left to whoever reads the report.
 */
public class ApetCalls {
  /** Repetitions of the task that are timed, at most and at least, and nanoseconds of warming up and of timing. */
  static final int MOST = 200, LEAST = 3;
  static final long WARM = 300_000_000L, TIMED = 200_000_000L;
  /** How many times the time of warming up it may last where other programs want the processor. */
  private static final int PATIENCE = 4;
  /** Calls of a site in one repetition after which the clock is read for one in eight, by chance. */
  static final long EACH = 1 << 15;
  /** Nanoseconds: a task whose runs with counters took longer is not run again to time calls. */
  public static final long SLOW = 10_000_000_000L;
  /** Nanoseconds of a call in which the thread may have waited for the processor, or for a collection. */
  static final long LONG = 100_000L;

  static boolean timing;
  static long[] clock, calls, read, sums;
  /** Before this time nothing counts: the task still warms up. */
  static long warm;
  private static final long UNREAD = Long.MIN_VALUE;
  private static int chance = 1;

  /** The call that the clock runs for, or -1: a call inside it is a part of its time. */
  static int outer = -1;
  /** By site, how often handed code ran inside a call that was timed: what it takes is no part of the call. */
  static long[] inside;
  /** What the clocks ran for where handed code began, when their calls began, and when it began; the thread that is timed. */
  private static int[] stopped = new int[64];
  private static long[] clocks = new long[64], since = new long[64];
  private static int handed;
  private static Thread timed;
  /** By site, whether its call was a part of one that was timed. */
  static boolean[] nested;

  public static void begins(int k) {
    if (!timing) return;
    if (outer >= 0 && outer != k) {
      nested[k] = true;
      return;
    }
    outer = k;
    clock[k] = calls[k] > EACH && (chance = chance * 1664525 + 1013904223) >>> 29 != 0 ? UNREAD : System.nanoTime();
  }

  public static void ends(int k) {
    if (!timing) return;
    if (outer == k && clock[k] == UNREAD) {
      calls[k]++;
      outer = -1;
      return;
    }
    long now = System.nanoTime(); // before anything that the clock by itself would not show
    if (outer != k) return;
    add(k, now - clock[k], now);
    outer = -1;
  }

  /** Handed code begins: the clock of the call that runs it stops. */
  static void stops() {
    if (Thread.currentThread() != timed) return;
    if (handed == stopped.length) {
      stopped = Arrays.copyOf(stopped, 2 * handed);
      clocks = Arrays.copyOf(clocks, 2 * handed);
      since = Arrays.copyOf(since, 2 * handed);
    }
    stopped[handed] = outer;
    if (outer >= 0) {
      clocks[handed] = clock[outer];
      inside[outer]++;
      since[handed] = clock[outer] == UNREAD ? 0 : System.nanoTime();
    }
    handed++;
    outer = -1;
  }

  /** Handed code ends: the clock goes on where it has stopped. */
  static void goesOn() {
    if (Thread.currentThread() != timed || handed == 0) return;
    outer = stopped[--handed];
    if (outer >= 0) clock[outer] = clocks[handed] == UNREAD ? UNREAD : clocks[handed] + System.nanoTime() - since[handed];
  }

  /** Nanoseconds that the thread has not run until it was last asked, since a first time. */
  private static long idle;

  /** Nanoseconds that the thread has not run since this was last asked: what a call takes by itself, such as that which enlarges a table, is no interruption. */
  private static long waited(long now) {
    long before = idle;
    idle = now - cpu();
    return idle - before;
  }

  /** By try, the call that the clock ran for when its body was entered. */
  static int[] around;

  public static void tries(int k) {
    if (!timing) return;
    around[k] = outer;
  }

  /** A call that has thrown ends here. */
  public static void caught(int tried) {
    if (!timing) return;
    if (outer != around[tried] && outer >= 0) ends(outer);
    outer = around[tried];
  }

  static void add(int k, long ns, long now) {
    calls[k]++;
    if (now - warm < 0 || ns > LONG && waited(now) > ns / 2) return;
    read[k]++;
    sums[k] += ns;
  }

  /** Whether a loop over a collection has another element: a step ends with that. */
  public static void more(boolean more, int k) {
    if (timing && !more && outer == k) outer = -1;
  }

  /** A stream whose elements are counted as they are taken. */
  public static <T> java.util.stream.Stream<T> taken(java.util.stream.Stream<T> v, int k) {
    ApetProfile.first[k]++;
    return v.peek(x -> ApetProfile.sums[k]++);
  }

  public static java.util.stream.IntStream taken(java.util.stream.IntStream v, int k) {
    ApetProfile.first[k]++;
    return v.peek(x -> ApetProfile.sums[k]++);
  }

  public static java.util.stream.LongStream taken(java.util.stream.LongStream v, int k) {
    ApetProfile.first[k]++;
    return v.peek(x -> ApetProfile.sums[k]++);
  }

  public static java.util.stream.DoubleStream taken(java.util.stream.DoubleStream v, int k) {
    ApetProfile.first[k]++;
    return v.peek(x -> ApetProfile.sums[k]++);
  }

  /** By site, the classes in the order that they were met, and the calls of each. */
  static Class<?>[][] met;
  static long[][] times;
  static final Map<Integer, String> NAMES = new HashMap<>();

  /** The class of what a method is called on. A jump is foreseen if each bit of the number of its class is. */
  public static void of(Object v, String name, int k) {
    if (v == null || timing) return;
    Class<?> type = v.getClass();
    if (met[k] == null) {
      NAMES.put(k, name);
      met[k] = new Class<?>[0];
      times[k] = new long[0];
    }
    int one = 0;
    while (one < met[k].length && met[k][one] != type) one++;
    if (one == met[k].length) {
      met[k] = Arrays.copyOf(met[k], one + 1);
      times[k] = Arrays.copyOf(times[k], one + 1);
      met[k][one] = type;
    }

    times[k][one]++;
    ApetProfile.first[k]++;
    boolean foreseen = true;
    for (int bit = 1; ApetProfile.simulated && bit < met[k].length; bit <<= 1)
      foreseen &= ApetProfile.predicted(k, k + bit * 0x10000, (one & bit) != 0);
    if (!foreseen) ApetProfile.missed[k]++;
  }

  static void start(int sites) {
    met = new Class<?>[sites][];
    times = new long[sites][];
  }

  /** A line for each class that declares what was called: site, class, calls. */
  static void report() {
    for (int k = 0; k < met.length; k++)
      for (int i = 0; met[k] != null && i < met[k].length; i++)
        System.out.println("class " + k + " " + called(declaring(met[k][i], NAMES.get(k))) + " " + times[k][i]);
  }

  /** A class as a translation calls it: an anonymous one after what it extends and its own name, or its constant. */
  static String called(Class<?> type) {
    if (!type.isAnonymousClass()) return named(type);
    Class<?> above = type.getInterfaces().length > 0 ? type.getInterfaces()[0] : type.getSuperclass();
    if (above.isEnum())
      for (Object constant : above.getEnumConstants())
        if (constant.getClass() == type) return above.getSimpleName() + "_" + ((Enum<?>) constant).name();
    return above.getSimpleName() + "_#" + type.getName();
  }

  /** By binary name, what a translation calls classes of one simple name. */
  private static final Map<String, String> CALLED = new HashMap<>();

  static {
    for (String one : System.getProperty("apet.names", "").split(","))
      if (!one.isEmpty()) CALLED.put(one.substring(0, one.indexOf('=')), one.substring(one.indexOf('=') + 1));
  }

  /** A class as a translation calls it. */
  public static String named(Class<?> type) {
    return CALLED.getOrDefault(type.getName(), type.getSimpleName());
  }

  static Class<?> declaring(Class<?> type, String name) {
    for (Class<?> c = type; c != null; c = c.getSuperclass())
      for (Method m : c.getDeclaredMethods())
        if (m.getName().equals(name) && !Modifier.isAbstract(m.getModifiers())) return c;
    for (Method m : type.getMethods()) if (m.getName().equals(name) && m.isDefault()) return m.getDeclaringClass();
    return type;
  }

  /** What is run. */
  public interface Task {
    void run() throws Throwable;
  }

  /**
   * Runs a task until it is warm, then again and again with clocks. Prints which sites were only met inside others; for
   * each other site its calls and the least, middle and greatest mean of a quarter, half and three quarters of the
   * repetitions, in nanoseconds; then the same of a clock by itself, and nanoseconds of an addition.
   */
  public static void time(Task task, int sites, java.io.PrintStream out) throws Throwable {
    clock = new long[sites];
    calls = new long[sites];
    read = new long[sites];
    sums = new long[sites];
    inside = new long[sites];
    nested = new boolean[sites];
    around = new int[sites];
    Arrays.fill(around, -1);
    double[][] means = new double[sites][MOST];
    int[] many = new int[sites];
    long[] all = new long[sites], stops = new long[sites];
    timed = Thread.currentThread();
    timing = true;
    long settling = System.currentTimeMillis();
    // The first run warms up with its clocks, so that what is compiled has them; of a long one only the rest counts.
    long start = System.nanoTime(), used = cpu();
    warm = start + WARM;
    while (System.nanoTime() - warm < 0) repetition(task);
    while (isCold(start, used, WARM)) {
      repetition(task);
      warm = System.nanoTime();
    }
    long begun = System.nanoTime(), settled = System.currentTimeMillis();
    boolean enough = begun - warm > TIMED && alreadyRead();
    for (int i = 0; i < MOST && (enough ? i == 0 : i < LEAST || System.nanoTime() - begun < TIMED); i++) {
      if (!enough) repetition(task);
      for (int k = 0; k < sites; k++)
        if (read[k] > 0) {
          means[k][many[k]++] = (double) sums[k] / read[k];
          all[k] += calls[k];
          stops[k] += inside[k];
        }
    }
    timing = false;
    outer = -1;
    for (int k = 0; k < sites; k++)
      if (many[k] == 0 && nested[k]) out.println("nested " + k);
    for (int k = 0; k < sites; k++)
      if (many[k] > 0) out.println("time " + k + " " + (double) all[k] / many[k] + quartiles(means[k], many[k]) + " " + (double) stops[k] / all[k]);
    out.println("settling " + settling + " " + settled);
    out.println("clock 0 0" + clocks());
    out.println("addition 0 " + addition());
  }

  /** Whether a thread that began then has not run for so many nanoseconds, since other programs want the processor. */
  public static boolean isCold(long begun, long usedBefore, long warm) {
    return cpu() - usedBefore < warm && System.nanoTime() - begun < PATIENCE * warm;
  }

  /** Nanoseconds that this thread has run. */
  public static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void repetition(Task task) throws Throwable {
    Arrays.fill(calls, 0);
    Arrays.fill(read, 0);
    Arrays.fill(sums, 0);
    Arrays.fill(inside, 0);
    outer = -1; // a call that threw did not end
    handed = 0;
    task.run();
  }

  /** Whether each site that was called has been read. */
  private static boolean alreadyRead() {
    for (int k = 0; k < calls.length; k++) if (calls[k] > 0 && read[k] == 0) return false;
    return true;
  }

  static String quartiles(double[] values, int n) {
    double[] sorted = Arrays.copyOf(values, n);
    Arrays.sort(sorted);
    return " " + sorted[n / 4] + " " + sorted[n / 2] + " " + sorted[n - 1 - n / 4];
  }

  static String clocks() {
    double[] means = new double[40];
    for (int i = 0; i < 2 * means.length; i++) {
      calls[0] = read[0] = sums[0] = 0;
      timing = true;
      for (int j = 0; j < 5_000; j++) {
        begins(0);
        ends(0);
      }
      timing = false;
      means[i / 2] = (double) sums[0] / Math.max(1, read[0]);
    }
    return quartiles(means, means.length);
  }

  static volatile int seed = 3;

  /** Nanoseconds of an addition that waits for the one before it. */
  static double addition() {
    double best = 1e9;
    for (int i = 0; i < 30; i++) {
      int x = seed, y = seed + 1;
      long start = System.nanoTime();
      for (int j = 0; j < 200_000; j++) {
        x += y; y ^= x; x += y; y ^= x; x += y; y ^= x; x += y; y ^= x;
      }
      best = Math.min(best, (System.nanoTime() - start) / (8 * 200_000.0));
      seed = x | 1;
    }
    return best;
  }
}
