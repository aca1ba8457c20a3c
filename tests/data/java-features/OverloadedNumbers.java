/** Overloads by the width of a number; the one for long loops, the one for int does not. */
public class OverloadedNumbers extends Kernel {
  static int digits(int v) { return v < 10 ? 1 : v < 100 ? 2 : v < 1000 ? 3 : 4; }
  static int digits(long v) { int d = 1; while (v >= 10) { v /= 10; d++; } return d; }
  static int digits(double v) { return (int) Math.log10(v + 1); }
  int n; int[] small; long[] large;
  public void setup(int n) {
    this.n = n; small = rnd(n, 2000, 1); large = new long[n];
    for (int i = 0; i < n; i++) large[i] = small[i] * 1_000_003L;
  }
  public double run() {
    long s = 0;
    for (int i = 0; i < n; i++) s += digits(small[i]) + digits(large[i]) + digits(small[i] + large[i]);
    return s;
  }
}
