public class DoWhileCollatz extends Kernel {
  int n; public void setup(int n) { this.n = n; }
  public double run() { int best = 0; for (int i = 1; i <= n; i++) { long x = i; int k = 0; do { x = (x & 1) == 0 ? x >> 1 : 3 * x + 1; k++; } while (x > 1); if (k > best) best = k; } return best; }
}
