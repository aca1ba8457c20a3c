import java.util.*;
public class K_mull extends Kernel {
  int n;
  long[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new long[n]; b = new long[n]; c = new long[n]; for (int i = 0; i < n; i++) { a[i] = (long) (r.nextInt(100) + 1); b[i] = (long) (r.nextInt(100) + 1); }
  }
  public double run() {
    for (int i = 0; i < n; i++) c[i] = a[i] * b[i]; return c[3];
  }
}
