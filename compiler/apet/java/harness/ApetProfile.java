package apet;

import java.util.Arrays;

/**
 * What code with counters tells: how often it is reached, outcomes of jumps, calls, values. A branch predictor is
 * simulated beside it: tagged tables over geometrically longer histories (TAGE, Seznec and Michaud 2006) with a base
 * of 2-bit counters.
 */
public class ApetProfile {
  static long[] first, second, missed;
  static double[] sums, preparedSums;
  /** Counts of what comes before the first run: a constructor that only `setup` calls is told about with these. */
  static long[] prepared;
  static int[] depth, trips, before;
  static boolean[] known;
  static boolean simulated;
  /** Branches of the run; by site, those that the predictor was asked about, and those that it was simulated for. */
  static long branches;
  static long[] offered, tried;
  /** So many branches are simulated, then some thousands in a row of so many. */
  static final long ALL = 1 << 22, ROW = 1 << 14, OF = 1 << 18;
  /** Branches of a run that needs no other one before it to teach the predictor, and takes too long to repeat. */
  static final long ENOUGH = 1 << 25;

  public static void start(int sites, boolean simulate) {
    if (first == null) {
      depth = new int[sites];
      trips = new int[sites];
      before = new int[sites];
      known = new boolean[sites];
      looked = new Class<?>[sites];
    }
    if (first != null && prepared == null) {
      prepared = first;
      preparedSums = sums;
    }
    first = new long[sites];
    second = new long[sites];
    missed = new long[sites];
    sums = new double[sites];
    offered = new long[sites];
    tried = new long[sites];
    simulated = simulate;
    CHOSEN.clear();
    unseen = 0;
    pending = -1;
    loops = new byte[sites];
    for (String one : System.getProperty("apet.loops", "").split(","))
      if (!one.isEmpty()) loops[Integer.parseInt(one.substring(1))] = (byte) (4 + one.charAt(0) - '0');
    // What a predictor keeps of outcomes from run to run is measured on the machine, not simulated.
    for (int t = 0; t < TABLES && simulate; t++) {
      Arrays.fill(TAG[t], (short) 0);
      Arrays.fill(USEFUL[t], (byte) 0);
    }
    ApetCalls.start(sites);
    ApetObjects.start(sites);
    branches = 0;
  }

  /** Whether the run so far needs no other one. */
  public static boolean taught() {
    return branches > ENOUGH;
  }

  /** Code is reached. */
  public static void hit(int k) {
    if (ApetCalls.timing) return;
    first[k]++;
  }

  /** The jump whose outcome the predictor has not been told: one that has not fallen through has been taken. */
  private static int pending = -1;

  /** A conditional jump is asked. */
  public static void asked(int k) {
    if (ApetCalls.timing) return;
    first[k]++;
    if (!simulated) return;
    settle();
    pending = k;
  }

  /** The jump that was asked is not taken. */
  public static void fell(int k) {
    if (ApetCalls.timing) return;
    second[k]++;
    if (pending != k) return;
    pending = -1;
    outcome(k, false);
  }

  private static void settle() {
    if (pending < 0) return;
    int k = pending;
    pending = -1;
    outcome(k, true);
  }

  /** By counter of a jump that decides on a further round of a loop: 1 where it compares a counter, 2 where it jumps for a round, and 4. */
  private static byte[] loops = {};

  private static void outcome(int k, boolean taken) {
    byte loop = loops[k];
    if (loop != 0) again(k, (loop & 1) != 0, (loop & 2) != 0 == taken);
    else if (!predicted(k, taken)) missed[k]++;
  }

  /** Whether a loop goes on. A counting loop is unrolled: one branch in eight rounds. */
  private static void again(int k, boolean counted, boolean c) {
    if (c) {
      trips[k]++;
      if ((!counted || (trips[k] & 7) == 0) && !predicted(k, true)) missed[k]++;
      return;
    }
    boolean right = predicted(k, false);
    if (!right && !(known[k] && before[k] == trips[k])) missed[k]++;
    before[k] = trips[k];
    known[k] = true;
    trips[k] = 0;
  }

  /** What a switch chooses by. */
  public static void chosen(int v, int k) {
    if (ApetCalls.timing) return;
    first[k]++;
    CHOSEN.computeIfAbsent(k, n -> new java.util.HashMap<>()).computeIfAbsent(v, n -> new long[1])[0]++;
  }

  private static final java.util.Map<Integer, java.util.Map<Integer, long[]>> CHOSEN = new java.util.TreeMap<>();

  /** What the program threw last; how often code handles an exception that no throw of it shows. */
  private static Throwable last;
  private static long unseen;

  /** The program throws. */
  public static void threw(Throwable e, int k) {
    last = e;
  }

  /** An exception is handled. */
  public static void handled(Throwable e, int k) {
    if (!ApetCalls.timing && e != last) unseen++;
  }

  /** A call of code that is handed to others begins. */
  public static void round(int k) {
    if (ApetCalls.timing) ApetCalls.stops();
    else second[k]++;
  }

  /** It ends. */
  public static void over(int k) {
    if (ApetCalls.timing) ApetCalls.goesOn();
  }

  /** A call of a method; from outside, unless it is already running. */
  public static void call(int k) {
    if (ApetCalls.timing) return;
    if (depth[k]++ == 0) first[k]++;
    second[k]++;
  }

  public static void back(int k) {
    if (ApetCalls.timing) return;
    depth[k]--;
  }

  public static void value(double v, int k) {
    if (ApetCalls.timing) return;
    first[k]++;
    sums[k] += v;
  }

  public static void boxed(Object v, int k) {
    if (v instanceof Number) value(((Number) v).doubleValue(), k);
  }

  public static void length(int n, int k) {
    value(n, k);
  }

  public static void length(long n, int k) {
    value(n, k);
  }

  /** The first end of a range: what lies before it is no part of it. */
  public static void less(int n, int k) {
    if (ApetCalls.timing) return;
    sums[k] -= n;
  }

  public static void less(long n, int k) {
    less((int) n, k);
  }

  public static void elements(Object v, int k) {
    if (v instanceof java.util.Collection) value(((java.util.Collection<?>) v).size(), k);
    else if (v != null && v.getClass().isArray()) value(java.lang.reflect.Array.getLength(v), k);
    else value(0, k);
  }

  /** The length of an array in a dimension, from 1; inside, the mean of some rows. */
  public static void extent(Object v, int dimension, int k) {
    if (ApetCalls.timing || v == null || !v.getClass().isArray()) return;
    if (dimension == 1) {
      first[k]++;
      sums[k] += java.lang.reflect.Array.getLength(v);
      return;
    }
    double[] means = lengths(v, FEW_ROWS);
    if (means.length < dimension) return;
    first[k]++;
    sums[k] += means[dimension - 1];
  }

  static final int FEW_ROWS = 16;
  public static final int MANY_ROWS = 4096;

  /** The mean length in each dimension: rows may differ. Of more rows than `most`, as many at even distances count. */
  public static double[] lengths(Object array, int most) {
    double[] means = new double[8];
    int dimensions = 0;
    java.util.List<Object> level = java.util.List.of(array);
    while (!level.isEmpty() && dimensions < means.length) {
      java.util.List<Object> inside = new java.util.ArrayList<>();
      double sum = 0;
      for (Object row : level) {
        int n = java.lang.reflect.Array.getLength(row), step = Math.max(1, n / Math.max(1, most / level.size()));
        sum += n;
        for (int i = 0; row instanceof Object[] && i < n; i += step) {
          Object one = ((Object[]) row)[i];
          if (one != null && one.getClass().isArray()) inside.add(one);
        }
      }
      means[dimensions++] = sum / level.size();
      level = inside;
    }
    return Arrays.copyOf(means, dimensions);
  }

  static Class<?>[] looked;
  static final java.util.Map<Class<?>, Integer> LOOKED_AT = new java.util.HashMap<>();
  static final java.util.Map<String, double[]> FIELDS = new java.util.TreeMap<>();
  static final int MOST_OBJECTS = 64;

  /** The fields of an object whose method begins. */
  public static void object(Object o, int k) {
    fields(k, o.getClass(), o);
  }

  /** The static fields of a class whose method begins. */
  public static void fields(Class<?> type, int k) {
    fields(k, type, null);
  }

  /** The numbers and the lengths of arrays and texts in the fields of a class, static ones alone without an object; of the first objects of each class. */
  private static void fields(int k, Class<?> type, Object o) {
    if (ApetCalls.timing) return;
    if (looked[k] == type) return;
    if (LOOKED_AT.merge(type, 1, Integer::sum) > MOST_OBJECTS) {
      looked[k] = type;
      return;
    }
    for (Class<?> c = type; c != null && c.getClassLoader() == ApetProfile.class.getClassLoader(); c = c.getSuperclass())
      for (java.lang.reflect.Field f : c.getDeclaredFields())
        try {
          f.setAccessible(true);
          Object value = f.get(o);
          String name = ApetCalls.named(c) + "." + f.getName();
          if (value instanceof Number) add(name, ((Number) value).doubleValue());
          if (value instanceof CharSequence) add(name + "[1]", ((CharSequence) value).length());
          if (value == null || !value.getClass().isArray()) continue;
          double[] means = lengths(value, FEW_ROWS);
          for (int d = 0; d < means.length; d++) add(name + "[" + (d + 1) + "]", means[d]);
        } catch (ReflectiveOperationException | RuntimeException unreadable) {
          continue;
        }
  }

  private static void add(String name, double value) {
    double[] sum = FIELDS.computeIfAbsent(name, k -> new double[2]);
    sum[0] += value;
    sum[1]++;
  }

  public static void report() {
    settle();
    for (java.util.Map.Entry<Integer, java.util.Map<Integer, long[]>> e : CHOSEN.entrySet())
      e.getValue().forEach((v, n) -> System.out.println("chosen " + e.getKey() + " " + v + " " + n[0]));
    ApetCalls.report();
    ApetObjects.report(System.out);
    if (unseen > 0) System.out.println("unseen 0 " + unseen);
    for (java.util.Map.Entry<String, double[]> e : FIELDS.entrySet())
      System.out.println("mean " + e.getKey() + " " + e.getValue()[0] / e.getValue()[1]);
    for (int k = 0; k < first.length; k++) {
      boolean before = first[k] == 0 && prepared != null && preparedSums[k] != 0;
      System.out.println("site " + k + " " + (before ? prepared[k] : first[k]) + " " + second[k] + " " + allMissed(k)
          + " " + (before ? preparedSums[k] : sums[k]));
    }
  }

  /**
   * Prints how often each site was offered to the predictor in the last run, which finds it taught, and what it missed; and
   * visits of objects, which the run before has left in the caches.
   */
  public static void misses(java.io.PrintStream out) {
    settle();
    ApetObjects.report(out);
    for (int k = 0; k < first.length; k++) if (first[k] > 0 && simulated) out.println("missed " + k + " " + first[k] + " " + allMissed(k));
  }

  private static long allMissed(int k) {
    return tried[k] == 0 ? 0 : Math.round((double) missed[k] / tried[k] * offered[k]);
  }

  // The predictor

  static final int BITS = 14, SIZE = 1 << BITS, TABLES = 5;
  static final byte[] BASE = new byte[SIZE];
  static final byte[][] COUNTER = new byte[TABLES][SIZE], USEFUL = new byte[TABLES][SIZE];
  static final short[][] TAG = new short[TABLES][SIZE];
  static final int[] AT = new int[TABLES];
  static final short[] WANTED = new short[TABLES];
  static long h0, h1, h2;

  static long mixed(long x) {
    x *= 0x9E3779B97F4A7C15L;
    x ^= x >>> 32;
    x *= 0xD6E8FEB86659FD93L;
    return x ^ (x >>> 29);
  }

  static long history(int t) {
    switch (t) {
      case 0: return h0 & 31;
      case 1: return h0 & 0xFFF;
      case 2: return h0 & 0xFFFFFFF;
      case 3: return h0;
      default: return h0 ^ mixed(h1) ^ mixed(h2 & 0xFFFFFFFFL) * 3;
    }
  }

  /** Whether the predictor foresees this outcome; it learns it then. */
  static boolean predicted(int k, boolean taken) {
    return predicted(k, k, taken);
  }

  /** The same for one of several branches of a site, each with its own address. */
  static boolean predicted(int k, int site, boolean taken) {
    offered[k]++;
    if (++branches > ALL && (branches & OF - 1) >= ROW) return true;
    tried[k]++;
    int provider = -1, other = -1;
    for (int t = 0; t < TABLES; t++) {
      long hash = mixed(history(t) * 31 + site * 0x10001L + t);
      AT[t] = (int) (hash & (SIZE - 1));
      WANTED[t] = (short) ((hash >>> 40 & 0xFFF) + 1);
      if (TAG[t][AT[t]] == WANTED[t]) {
        other = provider;
        provider = t;
      }
    }
    int base = (int) (mixed(site) & (SIZE - 1));
    boolean fallback = other >= 0 ? COUNTER[other][AT[other]] >= 0 : BASE[base] >= 0;
    boolean guess = provider >= 0 ? COUNTER[provider][AT[provider]] >= 0 : BASE[base] >= 0;
    learn(provider, base, taken, guess, fallback);
    h2 = h2 << 1 | h1 >>> 63;
    h1 = h1 << 1 | h0 >>> 63;
    h0 = h0 << 1 | (taken ? 1 : 0);
    return guess == taken;
  }

  private static void learn(int provider, int base, boolean taken, boolean guess, boolean fallback) {
    if (provider >= 0) {
      byte[] c = COUNTER[provider];
      int at = AT[provider];
      c[at] = (byte) (taken ? Math.min(3, c[at] + 1) : Math.max(-4, c[at] - 1));
      if (guess != fallback) USEFUL[provider][at] = (byte) (guess == taken ? Math.min(3, USEFUL[provider][at] + 1) : Math.max(0, USEFUL[provider][at] - 1));
    } else {
      BASE[base] = (byte) (taken ? Math.min(1, BASE[base] + 1) : Math.max(-2, BASE[base] - 1));
    }
    if (guess == taken) return;
    for (int t = provider + 1; t < TABLES; t++) {
      int at = AT[t];
      if (USEFUL[t][at] == 0) {
        TAG[t][at] = WANTED[t];
        COUNTER[t][at] = (byte) (taken ? 0 : -1);
        return;
      }
      USEFUL[t][at]--;
    }
  }
}
