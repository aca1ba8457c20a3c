public class Fixpoint extends Kernel {
  double[] x; int n; public void setup(int n) { this.n = n; x = rndd(n, 1); }
  interface F { double at(double v); }
  static double newton(F f, F d, double x0) { double v = x0; for (int i = 0; i < 50; i++) { double s = f.at(v) / d.at(v); v -= s; if (Math.abs(s) < 1e-12) break; } return v; }
  public double run() { double s = 0; for (final double c : x) s += newton(v -> v * v * v - c, v -> 3 * v * v, 1); return s; }
}
