import java.util.*;
public class K_matvec extends Kernel {
  int n;
  double[][] a; double[] x, y;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = rnd2(n, 1); x = rndd(n, 2); y = new double[n];
  }
  public double run() {
    for (int i = 0; i < n; i++) { double s = 0; for (int j = 0; j < n; j++) s += a[i][j] * x[j]; y[i] = s; } return y[1];
  }
}
