/** Values written to a random permutation of places. */
public class Scatter extends Kernel {
  int n;
  int[] at;
  double[] from, to;

  public void setup(int n) {
    this.n = n;
    at = rnd(n, n, 5);
    from = rndd(n, 6);
    to = new double[n];
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      to[at[i]] = from[i];
    }
    return to[n / 2];
  }
}
