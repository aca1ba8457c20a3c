public class ClampBytes extends Kernel {
  byte[] a, b;
  int n;

  public void setup(int n) {
    this.n = n;
    a = new byte[n];
    b = new byte[n];
    int[] r = rnd(n, 256, 3);
    for (int i = 0; i < n; i++) a[i] = (byte) r[i];
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      int v = a[i] + 40;
      if (v > 100) v = 100;
      if (v < -100) v = -100;
      b[i] = (byte) v;
    }
    return b[n - 1];
  }
}
