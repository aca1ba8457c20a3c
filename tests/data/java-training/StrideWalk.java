/** Elements at a distance of 24, all of them in the end. */
public class StrideWalk extends Kernel {
  int n;
  double[] x;

  public void setup(int n) {
    this.n = n;
    x = rndd(n, 3);
  }

  public double run() {
    double s = 0;
    for (int start = 0; start < 24; start++) {
      for (int i = start; i < n; i += 24) {
        s += x[i];
      }
    }
    return s;
  }
}
