public class Interleaved extends Kernel {
  static int f(int n) { return n <= 0 ? 1 : n - m(f(n - 1)); } static int m(int n) { return n <= 0 ? 0 : n - f(m(n - 1)); }
  int n; public void setup(int n) { this.n = n; }
  public double run() { long s = 0; for (int i = 0; i < n; i++) s += f(i % 20) + m(i % 20); return s; }
}
