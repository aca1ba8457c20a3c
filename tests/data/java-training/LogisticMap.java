/** One orbit of a chaotic map. */
public class LogisticMap extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  public double run() {
    double x = 0.3, s = 0;
    for (int i = 0; i < n; i++) {
      x = 3.9 * x * (1.0 - x);
      s += x;
    }
    return s;
  }
}
