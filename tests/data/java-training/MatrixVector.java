/** A matrix times a vector, rows as arrays. */
public class MatrixVector extends Kernel {
  int n;
  double[][] a;
  double[] x, y;

  public void setup(int n) {
    this.n = n;
    a = rnd2(n, 3);
    x = rndd(n, 1);
    y = new double[n];
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      double s = 0;
      for (int j = 0; j < n; j++) {
        s += a[i][j] * x[j];
      }
      y[i] = s;
    }
    return y[n / 2];
  }
}
