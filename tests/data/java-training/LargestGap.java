/** Largest difference of neighbours and where it is. */
public class LargestGap extends Kernel {
  int n;
  double[] x;

  public void setup(int n) {
    this.n = n;
    x = rndd(n, 9);
  }

  public double run() {
    double best = -1;
    int where = 0;
    for (int i = 1; i < n; i++) {
      double gap = Math.abs(x[i] - x[i - 1]);
      if (gap > best) {
        best = gap;
        where = i;
      }
    }
    return best + where;
  }
}
