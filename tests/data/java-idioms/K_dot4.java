import java.util.*;
public class K_dot4 extends Kernel {
  int n;
  double[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new double[n]; b = new double[n]; c = new double[n]; for (int i = 0; i < n; i++) { a[i] = (double) (r.nextInt(100) + 1); b[i] = (double) (r.nextInt(100) + 1); }
  }
  public double run() {
    double s = 0, t = 0; for (int i = 0; i < n - 1; i += 2) { s += a[i] * b[i]; t += a[i + 1] * b[i + 1]; } return s + t;
  }
}
