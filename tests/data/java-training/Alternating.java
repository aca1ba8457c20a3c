/** An alternating series whose terms are fractions of converted numbers. */
public class Alternating extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  public double run() {
    double sum = 0;
    for (int k = 1; k <= n; k++) {
      double x = k * 0.001;
      double term = (0.5 * x + 1.5) / (x * x + 3);
      if ((k & 1) == 0) {
        sum -= term;
      } else {
        sum += term;
      }
    }
    return sum;
  }
}
