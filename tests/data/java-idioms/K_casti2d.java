import java.util.*;
public class K_casti2d extends Kernel {
  int n;
  int[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new int[n]; b = new int[n]; c = new int[n]; for (int i = 0; i < n; i++) { a[i] = (int) (r.nextInt(100) + 1); b[i] = (int) (r.nextInt(100) + 1); }
  }
  public double run() {
    double[] d = new double[n]; for (int i = 0; i < n; i++) d[i] = a[i]; return d[3];
  }
}
