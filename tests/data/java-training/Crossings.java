/** Sign changes and runs of a noisy signal. */
public class Crossings extends Kernel {
  int n;
  double[] x;

  public void setup(int n) {
    this.n = n;
    x = rndd(n, 38);
  }

  public double run() {
    int crossings = 0, longest = 0, length = 0;
    for (int i = 1; i < n; i++) {
      if (x[i - 1] < 0.6 != x[i] < 0.6) {
        crossings++;
        if (length > longest) {
          longest = length;
        }
        length = 0;
      } else {
        length++;
      }
    }
    return crossings + longest;
  }
}
