/** A variadic method beside one of fixed arity. */
public class VariadicMost extends Kernel {
  static int most(int a, int b) { return a > b ? a : b; }
  static int most(int... all) { int m = all[0]; for (int v : all) if (v > m) m = v; return m; }
  static long weighed(long weight, int... all) { long s = 0; for (int v : all) s += weight * v; return s; }
  int n; int[] a;
  public void setup(int n) { this.n = n; a = rnd(n + 4, 1000, 5); }
  public double run() {
    long s = 0;
    for (int i = 0; i < n; i++) {
      s += most(a[i], a[i + 1]);
      s += most(a[i], a[i + 1], a[i + 2], a[i + 3]);
      s += weighed(3, a[i], a[i + 2]);
    }
    return s;
  }
}
