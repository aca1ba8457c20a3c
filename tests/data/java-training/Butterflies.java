/** Fast Fourier transform in place, twiddles from a table. */
public class Butterflies extends Kernel {
  int n;
  double[] re, im, cos, sin;

  public void setup(int n) {
    this.n = n;
    re = rndd(n, 1);
    im = rndd(n, 2);
    cos = new double[n / 2];
    sin = new double[n / 2];
    for (int i = 0; i < n / 2; i++) {
      cos[i] = 0.7 * Math.cos(2 * Math.PI * i / n);
      sin[i] = 0.7 * Math.sin(2 * Math.PI * i / n);
    }
  }

  public double run() {
    for (int half = 1; half < n; half *= 2) {
      int step = n / (2 * half);
      for (int start = 0; start < n; start += 2 * half) {
        for (int k = 0; k < half; k++) {
          int a = start + k, b = a + half;
          double c = cos[k * step], s = sin[k * step];
          double tr = c * re[b] - s * im[b], ti = c * im[b] + s * re[b];
          re[b] = 0.7 * re[a] - tr;
          im[b] = 0.7 * im[a] - ti;
          re[a] = 0.7 * re[a] + tr;
          im[a] = 0.7 * im[a] + ti;
        }
      }
    }
    return re[0];
  }
}
