public class Kadane extends Kernel {
  int[] a;
  public void setup(int n) { a = rnd(n, 200, 3); for (int i = 0; i < n; i++) a[i] -= 100; }
  public double run() { int best = Integer.MIN_VALUE, here = 0; for (int x : a) { here = Math.max(x, here + x); best = Math.max(best, here); } return best; }
}
