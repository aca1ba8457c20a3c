import java.util.Arrays;

/**
 * What instrumented code tells: outcomes of conditions, entries and rounds of loops, calls, values. A branch predictor is
 * simulated beside it: tagged tables over geometrically longer histories (TAGE, Seznec and Michaud 2006) with a base
 * of 2-bit counters.
 */
public class ApetProfile {
  static long[] first, second, missed;
  static double[] sums;
  static int[] depth, trips, before;
  static boolean[] known;
  static boolean simulated;
  static long simulations, MOST = 60_000_000L;

  static void start(int sites, boolean simulate) {
    if (first == null) {
      depth = new int[sites];
      trips = new int[sites];
      before = new int[sites];
      known = new boolean[sites];
    }
    first = new long[sites];
    second = new long[sites];
    missed = new long[sites];
    sums = new double[sites];
    simulated = simulate;
    simulations = 0;
  }

  /** A condition: how often it was asked, and how often it held. */
  public static boolean test(int k, boolean c) {
    first[k]++;
    if (c) second[k]++;
    if (simulated && !predicted(k, c)) missed[k]++;
    return c;
  }

  public static void enter(int k) {
    first[k]++;
  }

  /** What falls through into a case has not been chosen by the switch. */
  public static void leave(int k) {
    first[k]--;
  }

  public static int seen(int k, int v) {
    first[k]++;
    return v;
  }

  public static char seen(int k, char v) {
    first[k]++;
    return v;
  }

  public static byte seen(int k, byte v) {
    first[k]++;
    return v;
  }

  public static short seen(int k, short v) {
    first[k]++;
    return v;
  }

  public static <T> T seen(int k, T v) {
    first[k]++;
    return v;
  }

  public static void round(int k) {
    second[k]++;
  }

  /** Whether a loop goes on. A counting loop is unrolled: one branch in eight rounds. */
  public static boolean again(int k, boolean counted, boolean c) {
    if (!simulated) return c;
    if (c) {
      trips[k]++;
      if ((!counted || (trips[k] & 7) == 0) && !predicted(k, true)) missed[k]++;
    } else {
      boolean right = predicted(k, false);
      if (!right && !(known[k] && before[k] == trips[k])) missed[k]++;
      before[k] = trips[k];
      known[k] = true;
      trips[k] = 0;
    }
    return c;
  }

  /** A call of a method; from outside, unless it is already running. */
  public static void call(int k) {
    if (depth[k]++ == 0) first[k]++;
    second[k]++;
  }

  public static void back(int k) {
    depth[k]--;
  }

  public static void value(int k, double v) {
    first[k]++;
    sums[k] += v;
  }

  public static int length(int k, int n) {
    first[k]++;
    sums[k] += n;
    return n;
  }

  public static int length(int k, long n) {
    return length(k, (int) n);
  }

  static void report() {
    for (int k = 0; k < first.length; k++)
      System.out.println("site " + k + " " + first[k] + " " + second[k] + " " + missed[k] + " " + sums[k]);
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
  static boolean predicted(int site, boolean taken) {
    if (++simulations > MOST) return true;
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
