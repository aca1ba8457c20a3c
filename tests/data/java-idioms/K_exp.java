import java.util.*;
public class K_exp extends Kernel {
  int n;
  double[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new double[n]; b = new double[n]; c = new double[n]; for (int i = 0; i < n; i++) { a[i] = r.nextDouble(); b[i] = r.nextDouble(); }
  }
  public double run() {
    for (int i = 0; i < n; i++) c[i] = Math.exp(a[i]); return c[3];
  }
}
