public class SmoothDown extends Kernel {
  float[] a;
  int n;

  public void setup(int n) {
    this.n = n;
    a = new float[n];
    int[] r = rnd(n, 100, 5);
    for (int i = 0; i < n; i++) a[i] = r[i];
  }

  public double run() {
    for (int i = n - 2; i >= 0; i--) a[i] = 0.5f * a[i] + 0.5f * a[i + 1];
    return a[0];
  }
}
