/** A sparse matrix in compressed rows times a vector. */
public class SparseProduct extends Kernel {
  int n;
  int[] start, column;
  double[] value, x, y;

  public void setup(int n) {
    this.n = n;
    start = new int[n + 1];
    for (int i = 0; i < n; i++) {
      start[i + 1] = start[i] + 3 + i % 5;
    }
    column = rnd(start[n], n, 2);
    value = rndd(start[n], 3);
    x = rndd(n, 4);
    y = new double[n];
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      double s = 0;
      for (int k = start[i]; k < start[i + 1]; k++) {
        s += value[k] * x[column[k]];
      }
      y[i] = s;
    }
    return y[n / 2];
  }
}
