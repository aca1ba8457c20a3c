import java.util.*;
public class K_jacobi2 extends Kernel {
  int n;
  double[][] a, b;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = rnd2(n, 1); b = rnd2(n, 2);
  }
  public double run() {
    for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]); return b[1][2];
  }
}
