import java.util.*;
public class K_pow extends Kernel {
  int n;
  double[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new double[n]; b = new double[n]; c = new double[n]; for (int i = 0; i < n; i++) { a[i] = r.nextDouble(); b[i] = r.nextDouble(); }
  }
  public double run() {
    for (int i = 0; i < n; i++) c[i] = Math.pow(a[i], 1.7); return c[3];
  }
}
