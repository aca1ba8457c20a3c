/** Gaussian elimination without pivots, on a copy. */
public class Elimination extends Kernel {
  int n;
  double[][] from, a;

  public void setup(int n) {
    this.n = n;
    from = rnd2(n, 13);
    for (int i = 0; i < n; i++) {
      from[i][i] += n;
    }
    a = new double[n][n];
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        a[i][j] = from[i][j];
      }
    }
    for (int k = 0; k < n; k++) {
      for (int i = k + 1; i < n; i++) {
        double factor = a[i][k] / a[k][k];
        for (int j = k; j < n; j++) {
          a[i][j] -= factor * a[k][j];
        }
      }
    }
    return a[n - 1][n - 1];
  }
}
