/** Interleaved complex numbers times one complex number. */
public class ComplexScale extends Kernel {
  int n, times;
  double[] z;

  public void setup(int n) {
    this.n = n;
    times = 1000000 / n + 1;
    z = rndd(2 * n, 5);
  }

  public double run() {
    double re = 0.6, im = 0.8;
    for (int t = 0; t < times; t++) {
      for (int i = 0; i < n; i++) {
        double a = z[2 * i];
        double b = z[2 * i + 1];
        z[2 * i] = a * re - b * im;
        z[2 * i + 1] = a * im + b * re;
      }
    }
    return z[0];
  }
}
