public class Convolve extends Kernel {
  double[] a, w, out;
  int n;

  public void setup(int n) {
    this.n = n;
    a = rndd(n, 1);
    w = rndd(7, 2);
    out = new double[n];
  }

  public double run() {
    for (int i = 3; i < n - 3; i++) {
      double s = 0;
      for (int k = -3; k <= 3; k++) s += a[i + k] * w[k + 3];
      out[i] = s;
    }
    return out[n / 2];
  }
}
