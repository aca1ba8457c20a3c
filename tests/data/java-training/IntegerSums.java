/** Sums, an exclusive or and a maximum of integers in one pass. */
public class IntegerSums extends Kernel {
  int n;
  int[] x;

  public void setup(int n) {
    this.n = n;
    x = rnd(n, 1000000, 3);
  }

  public double run() {
    int sum = 0, mixed = 0, greatest = 0;
    for (int i = 0; i < n; i++) {
      int v = x[i];
      sum += v;
      mixed ^= v << 3;
      greatest = Math.max(greatest, v);
    }
    return sum + mixed + greatest;
  }
}
