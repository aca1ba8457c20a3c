/** A cubic polynomial at every point, written out. */
public class Polynomials extends Kernel {
  int n, times;
  double[] x, y;

  public void setup(int n) {
    this.n = n;
    times = 1000000 / n + 1;
    x = rndd(n, 31);
    y = new double[n];
  }

  public double run() {
    double[] from = x, to = y;
    for (int t = 0; t < times; t++) {
      for (int i = 0; i < n; i++) {
        double v = from[i];
        to[i] = ((2.5 * v - 1.0) * v + 0.75) * v - 3.0;
      }
    }
    return to[n - 1];
  }
}
