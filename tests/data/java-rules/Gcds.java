public class Gcds extends Kernel {
  int[] a, b;
  int n;

  public void setup(int n) {
    this.n = n;
    a = rnd(n, 100000, 7);
    b = rnd(n, 100000, 8);
  }

  public double run() {
    long sum = 0;
    for (int i = 0; i < n; i++) {
      int x = a[i], y = b[i];
      while (y != 0) {
        int r = x % y;
        x = y;
        y = r;
      }
      sum += x;
    }
    return sum;
  }
}
