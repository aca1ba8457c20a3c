/** Mean, then sum of squared deviations. */
public class Variance extends Kernel {
  int n;
  double[] x;

  public void setup(int n) {
    this.n = n;
    x = rndd(n, 8);
  }

  public double run() {
    double sum = 0;
    for (int i = 0; i < n; i++) {
      sum += x[i];
    }
    double mean = sum / n, squares = 0;
    for (int i = 0; i < n; i++) {
      double d = x[i] - mean;
      squares += d * d;
    }
    return squares / (n - 1);
  }
}
