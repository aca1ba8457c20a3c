/** Three streams with two constants, repeated over the same arrays. */
public class ScaleAdd extends Kernel {
  int n, times;
  float[] a, b, c;

  public void setup(int n) {
    this.n = n;
    times = 2000000 / n + 1;
    a = new float[n];
    b = new float[n];
    c = new float[n];
    for (int i = 0; i < n; i++) {
      b[i] = i % 17;
      c[i] = i % 5;
    }
  }

  public double run() {
    for (int t = 0; t < times; t++) {
      for (int i = 0; i < n; i++) {
        a[i] = 0.5f * b[i] - 2.0f * c[i];
      }
    }
    return a[n / 3];
  }
}
