/** Exponentials over their sum. */
public class SoftMax extends Kernel {
  int n;
  double[] x, y;

  public void setup(int n) {
    this.n = n;
    x = rndd(n, 71);
    y = new double[n];
  }

  public double run() {
    double sum = 0;
    for (int i = 0; i < n; i++) {
      y[i] = Math.exp(x[i] - 1.0);
      sum += y[i];
    }
    for (int i = 0; i < n; i++) {
      y[i] /= sum;
    }
    return y[n / 2];
  }
}
