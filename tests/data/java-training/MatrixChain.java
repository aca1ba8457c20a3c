/** Cheapest order of a product of matrices. */
public class MatrixChain extends Kernel {
  int n;
  int[] size;
  long[][] cost;

  public void setup(int n) {
    this.n = n;
    size = rnd(n + 1, 90, 6);
    cost = new long[n][n];
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      cost[i][i] = 0;
    }
    for (int length = 1; length < n; length++) {
      for (int i = 0; i + length < n; i++) {
        int j = i + length;
        long best = Long.MAX_VALUE;
        for (int k = i; k < j; k++) {
          long c = cost[i][k] + cost[k + 1][j] + (long) size[i] * size[k + 1] * size[j + 1];
          if (c < best) {
            best = c;
          }
        }
        cost[i][j] = best;
      }
    }
    return cost[0][n - 1];
  }
}
