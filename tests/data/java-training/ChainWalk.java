/** A list in an array, every place naming the next. */
public class ChainWalk extends Kernel {
  int n;
  int[] next;

  public void setup(int n) {
    this.n = n;
    next = new int[n];
    int[] order = new int[n];
    for (int i = 0; i < n; i++) {
      order[i] = i;
    }
    int[] r = rnd(n, 1 << 30, 6);
    for (int i = n - 1; i > 0; i--) {
      int j = r[i] % i;
      int t = order[i];
      order[i] = order[j];
      order[j] = t;
    }
    for (int i = 0; i < n; i++) {
      next[order[i]] = order[(i + 1) % n];
    }
  }

  public double run() {
    int k = 0;
    for (int i = 0; i < n; i++) {
      k = next[k];
    }
    return k;
  }
}
