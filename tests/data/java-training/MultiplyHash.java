/** A multiplicative hash over every window of eight integers. */
public class MultiplyHash extends Kernel {
  int n;
  int[] data;

  public void setup(int n) {
    this.n = n;
    data = rnd(n, 1 << 30, 4);
  }

  public double run() {
    int all = 0;
    for (int i = 0; i + 8 <= n; i += 4) {
      int h = 17;
      for (int k = 0; k < 8; k++) {
        h = 31 * h + data[i + k];
      }
      all ^= h;
    }
    return all;
  }
}
