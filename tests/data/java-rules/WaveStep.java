public class WaveStep extends Kernel {
  double[][] now, old, next;
  int n;

  public void setup(int n) {
    this.n = n;
    now = rnd2(n, 1);
    old = rnd2(n, 2);
    next = new double[n][n];
  }

  public double run() {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[i][j] = 2 * now[i][j] - old[i][j]
            + 0.1 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] - 4 * now[i][j]);
    return next[n / 2][n / 2];
  }
}
