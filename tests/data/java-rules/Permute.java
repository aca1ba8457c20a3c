public class Permute extends Kernel {
  int[] p;
  long[] a, b;
  int n;

  public void setup(int n) {
    this.n = n;
    p = rnd(n, n, 4);
    a = new long[n];
    b = new long[n];
  }

  public double run() {
    for (int i = 0; i < n; i++) b[i] = a[p[i]] + i;
    return b[n - 1];
  }
}
