/** Matrix product, inner products of rows and columns. */
public class ProductByInner extends Kernel {
  int n;
  double[][] a, b, c;

  public void setup(int n) {
    this.n = n;
    a = rnd2(n, 21);
    b = rnd2(n, 22);
    c = new double[n][n];
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        double s = 0;
        for (int k = 0; k < n; k++) {
          s += a[i][k] * b[k][j];
        }
        c[i][j] = s;
      }
    }
    return c[n / 2][n / 3];
  }
}
