import java.util.*;
public class K_colsum extends Kernel {
  int n;
  double[][] a;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = rnd2(n, 1);
  }
  public double run() {
    double s = 0; for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) s += a[i][j]; return s;
  }
}
