import java.util.Random;

/** Cache lines that move through the levels of the memory, and elements from anywhere in them. */
public class Memory {
  static final long[] BYTES = {Long.getLong("apet.l1", 32768), Long.getLong("apet.l2", 1 << 20), Long.getLong("apet.l3", 1 << 25)};
  static final boolean QUICK = Boolean.getBoolean("apet.quick");
  static double[] a, b, c, x;
  static int[] index;
  static int held, touched;
  static final int STRIDE = 24;

  static void register() {
    long beyond = Math.min(4 * BYTES[2], QUICK ? 96L << 20 : 192L << 20);
    long[] sizes = {BYTES[0] / 2, BYTES[1] / 2, BYTES[2] / 3, beyond};
    String[] names = {"L1", "L2", "L3", "memory"};
    for (int k = 0; k < names.length; k++) {
      int n = (int) (sizes[k] / 24), m = (int) (sizes[k] / 12);
      Harness.add("triad_" + names[k], rounds -> triad(rounds, n));
      Harness.add("gather_" + names[k], rounds -> gather(rounds, m));
      Harness.add("scattered_" + names[k], rounds -> scattered(rounds, m));
      Harness.add("walk_" + names[k], rounds -> walk(rounds, m));
      Harness.add("chase_" + names[k], rounds -> chase(rounds, m));
    }
  }

  /** Elements of a[i] = b[i] + s c[i] over arrays of 24 n bytes in all; a line is 64 bytes, an element 3/8 of one. */
  static double triad(int rounds, int n) {
    if (held != n) {
      held = n;
      a = new double[n];
      b = new double[n];
      c = new double[n];
      for (int i = 0; i < n; i++) b[i] = c[i] = i;
    }
    double[] p = a, q = b, r = c;
    double s = Harness.Y;
    for (int left = rounds; left > 0; left -= n) {
      int end = Math.min(n, left);
      for (int i = 0; i < end; i++) p[i] = q[i] + s * r[i];
    }
    return p[n / 2];
  }

  private static void scatter(int m) {
    if (touched == m) return;
    touched = m;
    a = b = c = null;
    held = 0;
    x = new double[m];
    index = new int[m];
    for (int i = 0; i < m; i++) index[i] = i;
    Random random = new Random(17);
    for (int i = m - 1; i > 0; i--) { // one cycle through all elements (Sattolo)
      int j = random.nextInt(i), t = index[i];
      index[i] = index[j];
      index[j] = t;
    }
  }

  /** Where the next sample goes on: what the last one touched is in the caches. */
  static int position;

  private static int start(int m) {
    scatter(m);
    return position < m ? position : 0;
  }

  /** Elements x[index[i]] that do not wait for each other. */
  static double gather(int rounds, int m) {
    int i = start(m);
    double[] values = x;
    int[] at = index;
    double s = 0;
    for (int left = rounds; left > 0; ) {
      int end = Math.min(m, i + left);
      left -= end - i;
      for (; i < end; i++) s += values[at[i]];
      if (i == m) i = 0;
    }
    position = i;
    return s;
  }

  /** Stores x[index[i]]. */
  static double scattered(int rounds, int m) {
    int i = start(m);
    double[] values = x;
    int[] at = index;
    double y = Harness.Y;
    for (int left = rounds; left > 0; ) {
      int end = Math.min(m, i + left);
      left -= end - i;
      for (; i < end; i++) values[at[i]] = y;
      if (i == m) i = 0;
    }
    position = i;
    return values[0];
  }

  /** Elements at a distance of 192 bytes: three lines, of which one is touched. */
  static double walk(int rounds, int m) {
    int i = start(m);
    double[] values = x;
    double s = 0, t = 0, u = 0, v = 0;
    for (int left = rounds; left > 0; ) {
      int count = Math.min((m - i + STRIDE - 1) / STRIDE, left), end = Math.min(m, i + STRIDE * count);
      left -= count;
      for (; i < end - 3 * STRIDE; i += 4 * STRIDE) {
        s += values[i];
        t += values[i + STRIDE];
        u += values[i + 2 * STRIDE];
        v += values[i + 3 * STRIDE];
      }
      for (; i < end; i += STRIDE) s += values[i];
      if (i >= m) i = (i - m) & 7;
    }
    position = i;
    return s + t + u + v;
  }

  /** Elements of which each tells where the next one is. */
  static double chase(int rounds, int m) {
    int k = start(m);
    int[] at = index;
    for (int i = 0; i < rounds; i++) k = at[k];
    position = k;
    return k;
  }
}
