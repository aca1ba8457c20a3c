/** The length of a curve by the midpoint rule: every round converts its number. */
public class ArcLength extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  static double slope(double x) {
    return 2 * x - 0.3 * x * x;
  }

  public double run() {
    double h = 4.0 / n;
    double sum = 0;
    for (int i = 0; i < n; i++) {
      double s = slope((i + 0.5) * h);
      sum += Math.sqrt(1 + s * s);
    }
    return sum * h;
  }
}
