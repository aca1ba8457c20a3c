/** Cheapest way through a grid, right and down. */
public class GridPaths extends Kernel {
  int n;
  int[][] price, sum;

  public void setup(int n) {
    this.n = n;
    price = new int[n][];
    for (int i = 0; i < n; i++) {
      price[i] = rnd(n, 100, i);
    }
    sum = new int[n][n];
  }

  public double run() {
    sum[0][0] = price[0][0];
    for (int j = 1; j < n; j++) {
      sum[0][j] = sum[0][j - 1] + price[0][j];
    }
    for (int i = 1; i < n; i++) {
      sum[i][0] = sum[i - 1][0] + price[i][0];
      for (int j = 1; j < n; j++) {
        sum[i][j] = Math.min(sum[i - 1][j], sum[i][j - 1]) + price[i][j];
      }
    }
    return sum[n - 1][n - 1];
  }
}
