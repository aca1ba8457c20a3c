import java.util.*;
public class K_prefixd extends Kernel {
  int n;
  double[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new double[n]; b = new double[n]; c = new double[n]; for (int i = 0; i < n; i++) { a[i] = r.nextDouble(); b[i] = r.nextDouble(); }
  }
  public double run() {
    for (int i = 1; i < n; i++) c[i] = c[i - 1] * 0.5 + a[i]; return c[3];
  }
}
