public class Rotate extends Kernel {
  int[][] a, b;
  int n;

  public void setup(int n) {
    this.n = n;
    a = new int[n][];
    b = new int[n][n];
    for (int i = 0; i < n; i++) a[i] = rnd(n, 1000, i);
  }

  public double run() {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) b[j][n - 1 - i] = a[i][j];
    return b[0][0];
  }
}
