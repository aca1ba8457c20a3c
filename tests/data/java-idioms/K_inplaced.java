import java.util.*;
public class K_inplaced extends Kernel {
  int n;
  double[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new double[n]; b = new double[n]; c = new double[n]; for (int i = 0; i < n; i++) { a[i] = (double) (r.nextInt(100) + 1); b[i] = (double) (r.nextInt(100) + 1); }
  }
  public double run() {
    for (int i = 0; i < n; i++) c[i] *= 0.99; return c[3];
  }
}
