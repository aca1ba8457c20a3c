/** Best value for each capacity, one row, 60 items. */
public class Knapsack extends Kernel {
  int n;
  int[] weight, value, best;

  public void setup(int n) {
    this.n = n;
    weight = rnd(60, n / 8, 3);
    value = rnd(60, 1000, 4);
    best = new int[n + 1];
  }

  public double run() {
    for (int c = 0; c <= n; c++) {
      best[c] = 0;
    }
    for (int k = 0; k < 60; k++) {
      int w = weight[k], v = value[k];
      for (int c = n; c >= w; c--) {
        int with = best[c - w] + v;
        if (with > best[c]) {
          best[c] = with;
        }
      }
    }
    return best[n];
  }
}
