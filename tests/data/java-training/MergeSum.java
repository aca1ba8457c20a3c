/** Pairwise sum of an array by halves. */
public class MergeSum extends Kernel {
  int n;
  double[] x;

  public void setup(int n) {
    this.n = n;
    x = rndd(n, 6);
  }

  static double sum(double[] x, int low, int high) {
    if (high - low < 8) {
      double s = 0;
      for (int i = low; i < high; i++) {
        s += x[i];
      }
      return s;
    }
    int middle = (low + high) >>> 1;
    return sum(x, low, middle) + sum(x, middle, high);
  }

  public double run() {
    return sum(x, 0, n);
  }
}
