import java.util.*;
public class K_inplace1 extends Kernel {
  int n;
  int[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new int[n]; b = new int[n]; c = new int[n]; for (int i = 0; i < n; i++) { a[i] = (int) (r.nextInt(100) + 1); b[i] = (int) (r.nextInt(100) + 1); }
  }
  public double run() {
    for (int i = 0; i < n - 1; i++) c[i] = c[i + 1]; return c[3];
  }
}
