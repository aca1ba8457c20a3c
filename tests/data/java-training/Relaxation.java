/** Successive over-relaxation of a grid in place. */
public class Relaxation extends Kernel {
  int n;
  double[][] g;

  public void setup(int n) {
    this.n = n;
    g = rnd2(n, 41);
  }

  public double run() {
    double omega = 1.25, quarter = omega * 0.25, rest = 1.0 - omega;
    for (int sweep = 0; sweep < 4; sweep++) {
      for (int i = 1; i < n - 1; i++) {
        double[] above = g[i - 1], row = g[i], below = g[i + 1];
        for (int j = 1; j < n - 1; j++) {
          row[j] = quarter * (above[j] + below[j] + row[j - 1] + row[j + 1]) + rest * row[j];
        }
      }
    }
    return g[n / 2][n / 2];
  }
}
