/** Immutable vectors: each step makes new ones, which some field keeps for a moment. */
public class VectorGarbage extends Kernel {
  static class Vec {
    final double x, y, z;
    Vec(double x, double y, double z) { this.x = x; this.y = y; this.z = z; }
    Vec plus(Vec o) { return new Vec(x + o.x, y + o.y, z + o.z); }
    Vec times(double k) { return new Vec(k * x, k * y, k * z); }
  }
  int n;
  Vec[] last = new Vec[64];
  public void setup(int n) {
    this.n = n;
    for (int i = 0; i < 64; i++) last[i] = new Vec(i, 1, 2);
  }
  public double run() {
    for (int i = 0; i < n; i++) last[i & 63] = last[i & 63].plus(last[i + 7 & 63].times(0.25)).times(0.8);
    return last[5].x;
  }
}
