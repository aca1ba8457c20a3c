import java.util.*;
public class K_matmul extends Kernel {
  int n;
  double[][] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = rnd2(n, 1); b = rnd2(n, 2); c = new double[n][n];
  }
  public double run() {
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { double s = 0; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j]; c[i][j] = s; } return c[1][2];
  }
}
