/** Rounds until points of the plane leave a circle. */
public class EscapeTimes extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  public double run() {
    int total = 0;
    for (int row = 0; row < n; row++) {
      for (int column = 0; column < n; column++) {
        double cx = 3.0 * column / n - 2.1, cy = 2.4 * row / n - 1.2;
        double x = 0, y = 0;
        int k = 0;
        while (k < 60 && x * x + y * y < 4.0) {
          double t = x * x - y * y + cx;
          y = 2 * x * y + cy;
          x = t;
          k++;
        }
        total += k;
      }
    }
    return total;
  }
}
