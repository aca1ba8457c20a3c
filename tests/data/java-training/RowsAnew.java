/** A new row for every step of Pascal's triangle. */
public class RowsAnew extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  public double run() {
    int[] row = {1};
    for (int k = 1; k <= n; k++) {
      int[] next = new int[k + 1];
      next[0] = 1;
      next[k] = 1;
      for (int i = 1; i < k; i++) {
        next[i] = row[i - 1] + row[i];
      }
      row = next;
    }
    return row[n / 2];
  }
}
