/** Least significant digit first, eight bits at a time. */
public class RadixPass extends Kernel {
  int n;
  int[] from, a, b;

  public void setup(int n) {
    this.n = n;
    from = rnd(n, 1 << 24, 27);
    a = new int[n];
    b = new int[n];
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      a[i] = from[i];
    }
    int[] count = new int[257];
    for (int shift = 0; shift < 24; shift += 8) {
      for (int k = 0; k < 257; k++) {
        count[k] = 0;
      }
      for (int i = 0; i < n; i++) {
        count[((a[i] >>> shift) & 255) + 1]++;
      }
      for (int k = 0; k < 256; k++) {
        count[k + 1] += count[k];
      }
      for (int i = 0; i < n; i++) {
        int v = a[i];
        b[count[(v >>> shift) & 255]++] = v;
      }
      int[] t = a;
      a = b;
      b = t;
    }
    return a[n / 2];
  }
}
