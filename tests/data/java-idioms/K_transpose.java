import java.util.*;
public class K_transpose extends Kernel {
  int n;
  double[][] a, b;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = rnd2(n, 1); b = rnd2(n, 2);
  }
  public double run() {
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[j][i] = a[i][j]; return b[1][2];
  }
}
