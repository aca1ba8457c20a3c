import java.util.*;
public class K_horner extends Kernel {
  int n;
  double[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new double[n]; b = new double[n]; c = new double[n]; for (int i = 0; i < n; i++) { a[i] = r.nextDouble(); b[i] = r.nextDouble(); }
  }
  public double run() {
    double s = 0; for (int i = 0; i < n; i++) s = s * 0.3 + a[i]; return s;
  }
}
