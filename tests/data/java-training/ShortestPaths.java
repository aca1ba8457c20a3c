/** All pairs by Floyd and Warshall. */
public class ShortestPaths extends Kernel {
  int n;
  int[][] from, d;

  public void setup(int n) {
    this.n = n;
    from = new int[n][];
    for (int i = 0; i < n; i++) {
      from[i] = rnd(n, 10000, i);
    }
    d = new int[n][n];
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        d[i][j] = from[i][j];
      }
    }
    for (int k = 0; k < n; k++) {
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          int way = d[i][k] + d[k][j];
          if (way < d[i][j]) {
            d[i][j] = way;
          }
        }
      }
    }
    return d[1][n - 1];
  }
}
