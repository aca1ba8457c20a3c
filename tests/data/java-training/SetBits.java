/** Set bits of words, one after the other. */
public class SetBits extends Kernel {
  int n;
  int[] x;

  public void setup(int n) {
    this.n = n;
    x = rnd(n, 1 << 30, 18);
  }

  public double run() {
    int bits = 0;
    for (int i = 0; i < n; i++) {
      int v = x[i];
      while (v != 0) {
        v &= v - 1;
        bits++;
      }
    }
    return bits;
  }
}
