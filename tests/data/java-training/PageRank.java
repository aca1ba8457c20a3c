/** Four rounds of ranks along eight incoming edges. */
public class PageRank extends Kernel {
  int n;
  int[] source;
  double[] rank, next;

  public void setup(int n) {
    this.n = n;
    source = rnd(8 * n, n, 14);
    rank = new double[n];
    next = new double[n];
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      rank[i] = 1.0 / n;
    }
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < n; i++) {
        double s = 0;
        for (int e = 0; e < 8; e++) {
          s += rank[source[8 * i + e]];
        }
        next[i] = 0.15 / n + 0.85 * s / 8;
      }
      double[] t = rank;
      rank = next;
      next = t;
    }
    return rank[0];
  }
}
