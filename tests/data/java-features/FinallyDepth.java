/** try with finally around work that leaves early. */
public class FinallyDepth extends Kernel {
  int n, depth, most; int[] a;
  public void setup(int n) { this.n = n; a = rnd(n, 100, 7); }
  int work(int v) {
    depth++;
    try {
      if (v < 20) return v;
      int s = 0;
      for (int i = 0; i < 10; i++) s += v * i;
      return s;
    } finally {
      if (depth > most) most = depth;
      depth--;
    }
  }
  public double run() { long s = 0; for (int i = 0; i < n; i++) s += work(a[i]); return s + most; }
}
