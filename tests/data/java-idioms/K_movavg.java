import java.util.*;
public class K_movavg extends Kernel {
  int n;
  double[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new double[n]; b = new double[n]; c = new double[n]; for (int i = 0; i < n; i++) { a[i] = r.nextDouble(); b[i] = r.nextDouble(); }
  }
  public double run() {
    for (int i = 2; i < n - 2; i++) c[i] = (a[i - 2] + a[i - 1] + a[i] + a[i + 1] + a[i + 2]) / 5; return c[5];
  }
}
