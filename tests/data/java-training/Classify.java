/** Values into five classes by a chain of comparisons. */
public class Classify extends Kernel {
  int n;
  int[] x;
  int a, b, c, d, e;

  public void setup(int n) {
    this.n = n;
    x = rnd(n, 1000, 28);
  }

  public double run() {
    a = b = c = d = e = 0;
    for (int i = 0; i < n; i++) {
      int v = x[i];
      if (v < 100) {
        a++;
      } else if (v < 350) {
        b += v;
      } else if (v < 600) {
        c ^= v;
      } else if (v < 980) {
        d++;
      } else {
        e += 2;
      }
    }
    return a + b + c + d + e;
  }
}
